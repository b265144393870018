internal import Gatebook

/// One row in the binary form of `COPY`, written into room that was made before: an append for each
/// field costs more than all the rest.
///
/// Source: PostgreSQL 15, COPY, "Binary Format".
struct CopyRow {
  /// What a copy begins with: the signature, no flags, no extension.
  static let header: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
  /// What a copy ends with.
  static let trailer: [UInt8] = [0xFF, 0xFF]

  private var place: UnsafeMutableRawPointer
  private let start: UnsafeMutableRawPointer
  private let end: UnsafeMutableRawPointer

  /// Appends a row.
  ///
  /// - Parameters:
  ///   - bytes: The rows so far.
  ///   - room: How many bytes the row takes at most.
  ///   - fields: How many fields it has.
  ///   - body: Puts as many fields.
  static func append(
    to bytes: inout [UInt8], room: Int, fields: Int16, _ body: (inout CopyRow) -> Void
  ) {
    bytes.append(addingCapacity: room + 2) { span in
      span.withUnsafeMutableBufferPointer { buffer, count in
        guard let start = buffer.baseAddress else { return }
        var row = CopyRow(UnsafeMutableRawPointer(start), room + 2)
        row.put(fields)
        body(&row)
        count = row.place - row.start
      }
    }
  }

  private init(_ start: UnsafeMutableRawPointer, _ room: Int) {
    self.start = start
    place = start
    end = start + room
  }

  private mutating func put(_ number: some FixedWidthInteger) {
    let size = number.bitWidth / 8
    precondition(place + size <= end, "The row has no room for this.")
    withUnsafeBytes(of: number.bigEndian) {
      place.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(place), byteCount: size)
    }
    place += size
  }

  /// Puts NULL.
  mutating func putNull() { put(Int32(-1)) }

  /// Puts a number of its own size.
  mutating func field(_ number: some FixedWidthInteger) {
    put(Int32(number.bitWidth / 8))
    put(number)
  }

  /// Puts a number of eight bytes, or NULL.
  mutating func field(optional number: Int64?) {
    guard let number else { return putNull() }
    field(number)
  }

  mutating func field(_ value: Bool) {
    put(Int32(1))
    put(UInt8(value ? 1 : 0))
  }

  /// Puts an identity, or NULL.
  mutating func field(_ identity: (some Identity)?) {
    guard let identity else { return putNull() }
    put(Int32(16))
    put(identity.high)
    put(identity.low)
  }

  /// Puts bytes, or NULL.
  mutating func field(_ bytes: UnsafeRawBufferPointer?) {
    guard let bytes else { return putNull() }
    put(Int32(truncatingIfNeeded: bytes.count))
    precondition(bytes.count <= end - place, "The row has no room for this.")
    if let source = bytes.baseAddress {
      place.copyMemory(from: source, byteCount: bytes.count)
      place += bytes.count
    }
  }
}
