package import GatebookEvents

extension RecordedEvent {
  /// Reads what an event's leaf is made of ("Event format"); personal facts stay encrypted.
  ///
  /// `nil` for anything that is not exactly one event.
  init?(canonical bytes: [UInt8]) {
    guard let parts = CanonicalParts(bytes), let data = Facts(decoding: parts.data) else {
      return nil
    }
    self.init(
      position: Position(rawValue: parts.position), id: parts.id, account: parts.account,
      revision: parts.revision, session: parts.session, kind: parts.kind, version: parts.version,
      at: Timestamp(rawValue: parts.at), cause: parts.cause.map(Position.init(rawValue:)),
      writer: Writer(program: parts.program, process: parts.process), data: data,
      personal: parts.sealed == nil ? nil : .sealed)
  }
}

/// The parts that an event's leaf is made of ("Event format").
struct CanonicalParts {
  let position: Int64
  let id: EventID
  let account: AccountID?
  let revision: Int64
  let session: SessionID?
  let kind: String
  let version: Int
  let at: Int64
  let cause: Int64?
  let program: Program
  let process: Int64
  let data: ArraySlice<UInt8>
  let sealed: ArraySlice<UInt8>?

  /// Reads them; `nil` for anything that is not exactly one event.
  init?(_ bytes: [UInt8]) {
    var reader = CanonicalReader(bytes: bytes)
    guard reader.byte() == 1, let position = reader.integer(), position > 0,
      let id = reader.identity(EventID.self),
      let account = reader.optional({ $0.identity(AccountID.self) }),
      let revision = reader.integer(),
      let session = reader.optional({ $0.identity(SessionID.self) }),
      let kind = reader.text(), let version = reader.short(), let at = reader.integer(),
      let cause = reader.optional({ $0.integer() }), let program = reader.text(),
      let programVersion = reader.text(), let installation = reader.identity(InstallationID.self),
      let process = reader.integer(), let data = reader.long(),
      let sealed = reader.optional({ $0.long() }), reader.isAtEnd
    else { return nil }
    (self.position, self.id, self.account, self.revision) = (position, id, account, revision)
    (self.session, self.kind, self.version, self.at) = (session, kind, version, at)
    (self.cause, self.process, self.data, self.sealed) = (cause, process, data, sealed)
    self.program = Program(name: program, version: programVersion, installation: installation)
  }
}

extension Program {
  /// Reads what a leaf says of a program; `nil` for anything else.
  package init?(described bytes: [UInt8]) {
    var reader = CanonicalReader(bytes: bytes)
    guard let name = reader.text(), let version = reader.text(),
      let installation = reader.identity(InstallationID.self), reader.isAtEnd
    else { return nil }
    self.init(name: name, version: version, installation: installation)
  }
}

/// Takes canonical bytes apart, from the first to the last.
private struct CanonicalReader {
  let bytes: [UInt8]
  var index = 0

  var isAtEnd: Bool { index == bytes.count }

  mutating func byte() -> UInt8? { take(1)?.first }

  mutating func integer() -> Int64? {
    number(8).map { Int64(bitPattern: $0) }
  }

  mutating func short() -> Int? { number(2).map { Int($0) } }

  mutating func identity<ID: Identity>(_ type: ID.Type) -> ID? {
    take(16).flatMap { ID(bytes: $0) }
  }

  mutating func text() -> String? {
    short().flatMap { take($0) }.flatMap { String(validating: $0, as: UTF8.self) }
  }

  mutating func long() -> ArraySlice<UInt8>? { number(4).flatMap { take(Int($0)) } }

  /// 00 for nothing, else 01 and the value: `.some(nil)` for nothing, `nil` for what is neither.
  mutating func optional<Value>(_ read: (inout CanonicalReader) -> Value?) -> Value?? {
    switch byte() {
    case 0: .some(nil)
    case 1: read(&self).map { .some($0) }
    default: nil
    }
  }

  private mutating func number(_ count: Int) -> UInt64? {
    take(count)?.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.count - index else { return nil }
    defer { index += count }
    return bytes[index..<index + count]
  }
}
