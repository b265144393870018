/// The canonical bytes of an event, the input of its leaf (see "Event format").
package struct CanonicalEvent {
  /// The bytes written last; reused from event to event.
  package private(set) var bytes: [UInt8] = []
  /// The place of the event's ID in the bytes.
  package static let id = 9..<25
  /// The place of its clear facts.
  package private(set) var data = 0..<0
  /// The place of its encrypted facts; `nil` if there are none.
  package private(set) var sealed: Range<Int>?

  package init() {
    bytes.reserveCapacity(512)
  }

  /// What the leaf says about the writer, without the process: made once for each writer.
  package static func describe(_ program: Program) -> [UInt8] {
    var bytes: [UInt8] = []
    append(program.name, to: &bytes)
    append(program.version, to: &bytes)
    bytes.append(contentsOf: program.installation.bytes)
    return bytes
  }

  /// What the leaf says about a kind: made once for each kind.
  package static func describe(kind: String) -> [UInt8] {
    var bytes: [UInt8] = []
    append(kind, to: &bytes)
    return bytes
  }

  /// The parts of an event that have a fixed size.
  package struct Envelope {
    package var position: Int64
    package var id: EventID
    package var account: AccountID?
    package var revision: Int64
    package var session: SessionID?
    package var version: Int64
    package var at: Int64
    package var cause: Int64?
    package var process: Int64

    package init(
      position: Int64, id: EventID, account: AccountID?, revision: Int64, session: SessionID?,
      version: Int64, at: Int64, cause: Int64?, process: Int64
    ) {
      self.position = position
      self.id = id
      self.account = account
      self.revision = revision
      self.session = session
      self.version = version
      self.at = at
      self.cause = cause
      self.process = process
    }
  }

  /// Writes one event over the last one, from bytes of another place.
  package mutating func write(
    _ envelope: Envelope, kind: [UInt8], writer: [UInt8], data: UnsafeRawBufferPointer,
    sealed: UnsafeRawBufferPointer?
  ) {
    let room = Self.room(kind: kind, writer: writer) + data.count + (sealed?.count ?? 0) + 9
    var places = (data: 0..<0, sealed: 0..<0)
    bytes.removeAll(keepingCapacity: true)
    FixedPart.append(to: &bytes, capacity: room) { part in
      part.put(envelope, kind: kind, writer: writer)
      places.data = part.put(counted: data)
      part.put(UInt8(sealed == nil ? 0 : 1))
      if let sealed { places.sealed = part.put(counted: sealed) }
    }
    self.data = places.data
    self.sealed = sealed == nil ? nil : places.sealed
  }

  /// Begins one event over the last one, encoding its clear facts in place; `end` must follow.
  package mutating func begin(
    _ envelope: Envelope, kind: [UInt8], writer: [UInt8], data: Facts
  ) {
    write(envelope, kind: kind, writer: writer)
    self.data = appendCounted { data.encode(into: &$0) }
  }

  /// Ends an event that has no encrypted facts.
  package mutating func end() {
    bytes.append(0)
  }

  /// Ends an event with the encrypted facts that the body appends.
  package mutating func end(sealed seal: (inout [UInt8]) -> Void) {
    bytes.append(1)
    sealed = appendCounted(seal)
  }

  private mutating func write(_ envelope: Envelope, kind: [UInt8], writer: [UInt8]) {
    sealed = nil
    bytes.removeAll(keepingCapacity: true)
    FixedPart.append(to: &bytes, capacity: Self.room(kind: kind, writer: writer)) {
      $0.put(envelope, kind: kind, writer: writer)
    }
  }

  /// How many bytes the envelope, the kind and the writer take at most.
  private static func room(kind: [UInt8], writer: [UInt8]) -> Int {
    94 + kind.count + writer.count
  }

  /// Appends four bytes that count the bytes that the body then appends.
  ///
  /// - Returns: Their place.
  private mutating func appendCounted(_ body: (inout [UInt8]) -> Void) -> Range<Int> {
    let start = bytes.count + 4
    FixedPart.append(to: &bytes, capacity: 4) { $0.put(UInt32(0)) }
    body(&bytes)
    let count = UInt32(truncatingIfNeeded: bytes.count - start)
    for index in 1...4 {
      bytes[start - index] = UInt8(truncatingIfNeeded: count >> UInt32(8 * (index - 1)))
    }
    return start..<bytes.count
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let content = Array(text.utf8.prefix(Int(UInt16.max)))
    bytes.append(UInt8(truncatingIfNeeded: content.count >> 8))
    bytes.append(UInt8(truncatingIfNeeded: content.count))
    bytes.append(contentsOf: content)
  }
}

/// What is put side by side in room that was made before: an append for each part costs more than
/// all the rest of the canonical bytes.
struct FixedPart {
  private let start: UnsafeMutableRawPointer
  private let capacity: Int
  private var count = 0

  /// Appends what the body puts, at most `capacity` bytes.
  static func append(
    to bytes: inout [UInt8], capacity: Int, _ body: (inout FixedPart) -> Void
  ) {
    bytes.append(addingCapacity: capacity) { span in
      span.withUnsafeMutableBufferPointer { buffer, count in
        guard let start = buffer.baseAddress else { return }
        var part = FixedPart(start: UnsafeMutableRawPointer(start), capacity: capacity)
        body(&part)
        count = part.count
      }
    }
  }

  private init(start: UnsafeMutableRawPointer, capacity: Int) {
    self.start = start
    self.capacity = capacity
  }

  private mutating func advance(by more: Int) -> UnsafeMutableRawPointer {
    precondition(more <= capacity - count, "The part has no room for this.")
    defer { count += more }
    return start + count
  }

  /// Puts a number, big end first.
  mutating func put<Number: FixedWidthInteger>(_ number: Number) {
    advance(by: MemoryLayout<Number>.size).storeBytes(of: number.bigEndian, as: Number.self)
  }

  mutating func put(_ identity: some Identity) {
    put(identity.high)
    put(identity.low)
  }

  /// Puts 00 for nothing, else 01 and the identity.
  mutating func put(optional identity: (some Identity)?) {
    guard let identity else { return put(UInt8(0)) }
    put(UInt8(1))
    put(identity)
  }

  /// Puts 00 for nothing, else 01 and the number.
  mutating func put(optional number: Int64?) {
    guard let number else { return put(UInt8(0)) }
    put(UInt8(1))
    put(number)
  }

  /// Puts bytes as they are.
  mutating func put(bytes: UnsafeRawBufferPointer) {
    let place = advance(by: bytes.count)
    if let source = bytes.baseAddress { place.copyMemory(from: source, byteCount: bytes.count) }
  }

  /// Puts four bytes that count the bytes that follow, and these.
  ///
  /// - Returns: Their place among what this part holds.
  mutating func put(counted bytes: UnsafeRawBufferPointer) -> Range<Int> {
    put(UInt32(truncatingIfNeeded: bytes.count))
    put(bytes: bytes)
    return count - bytes.count..<count
  }

  /// Puts all of an event that comes before its facts.
  mutating func put(_ envelope: CanonicalEvent.Envelope, kind: [UInt8], writer: [UInt8]) {
    put(UInt8(1))
    put(envelope.position)
    put(envelope.id)
    put(optional: envelope.account)
    put(envelope.revision)
    put(optional: envelope.session)
    kind.withUnsafeBytes { put(bytes: $0) }
    // No event has a version beyond sixteen bits: the greatest one agrees with no leaf.
    put(UInt16(exactly: envelope.version) ?? .max)
    put(envelope.at)
    put(optional: envelope.cause)
    writer.withUnsafeBytes { put(bytes: $0) }
    put(envelope.process)
  }
}
