/// The canonical bytes of an event, the input of its leaf (see "Event format").
package struct CanonicalEvent {
  /// The bytes written last; reused from event to event.
  package private(set) var bytes: [UInt8] = []

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

  /// Writes one event over the last one.
  package mutating func write(
    _ envelope: Envelope, kind: [UInt8], writer: [UInt8], data: [UInt8], sealed: [UInt8]?
  ) {
    data.withUnsafeBytes { data in
      if let sealed {
        sealed.withUnsafeBytes {
          write(envelope, kind: kind, writer: writer, data: data, sealed: $0)
        }
      } else {
        write(envelope, kind: kind, writer: writer, data: data, sealed: nil)
      }
    }
  }

  /// Writes one event over the last one, from bytes that stand elsewhere.
  package mutating func write(
    _ envelope: Envelope, kind: [UInt8], writer: [UInt8], data: UnsafeRawBufferPointer,
    sealed: UnsafeRawBufferPointer?
  ) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(1)
    append(UInt64(bitPattern: envelope.position))
    append(envelope.id)
    append(optional: envelope.account)
    append(UInt64(bitPattern: envelope.revision))
    append(optional: envelope.session)
    bytes.append(contentsOf: kind)
    bytes.append(UInt8(truncatingIfNeeded: envelope.version >> 8))
    bytes.append(UInt8(truncatingIfNeeded: envelope.version))
    append(UInt64(bitPattern: envelope.at))
    if let cause = envelope.cause {
      bytes.append(1)
      append(UInt64(bitPattern: cause))
    } else {
      bytes.append(0)
    }
    bytes.append(contentsOf: writer)
    append(UInt64(bitPattern: envelope.process))
    append(data)
    if let sealed {
      bytes.append(1)
      append(sealed)
    } else {
      bytes.append(0)
    }
  }

  private mutating func append(_ number: UInt64) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ identity: some Identity) {
    append(identity.high)
    append(identity.low)
  }

  private mutating func append(optional identity: (some Identity)?) {
    guard let identity else {
      bytes.append(0)
      return
    }
    bytes.append(1)
    append(identity)
  }

  private mutating func append(_ content: UnsafeRawBufferPointer) {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: content.count).bigEndian) {
      bytes.append(contentsOf: $0)
    }
    bytes.append(contentsOf: content)
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let content = Array(text.utf8.prefix(Int(UInt16.max)))
    bytes.append(UInt8(truncatingIfNeeded: content.count >> 8))
    bytes.append(UInt8(truncatingIfNeeded: content.count))
    bytes.append(contentsOf: content)
  }
}
