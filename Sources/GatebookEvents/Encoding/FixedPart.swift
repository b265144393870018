/// Numbers and identities put side by side before they are appended as one: an append for each
/// costs more than all the rest of the canonical bytes.
struct FixedPart {
  private let start: UnsafeMutableRawPointer
  private let capacity: Int
  private var count = 0

  /// Appends what the body puts, at most `capacity` bytes.
  static func append(
    to bytes: inout [UInt8], capacity: Int, _ body: (inout FixedPart) -> Void
  ) {
    withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 1) { buffer in
      guard let start = buffer.baseAddress else { return }
      var part = FixedPart(start: start, capacity: capacity)
      body(&part)
      bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: part.count))
    }
  }

  private init(start: UnsafeMutableRawPointer, capacity: Int) {
    self.start = start
    self.capacity = capacity
  }

  /// Puts a number, big end first.
  mutating func put<Number: FixedWidthInteger>(_ number: Number) {
    precondition(count + MemoryLayout<Number>.size <= capacity, "The part has no room for this.")
    start.storeBytes(of: number.bigEndian, toByteOffset: count, as: Number.self)
    count += MemoryLayout<Number>.size
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
}
