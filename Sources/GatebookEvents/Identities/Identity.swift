/// A 128-bit identity: of an event, an account, a session, a book.
///
/// The text form is 32 lower-case hexadecimal digits, the byte form 16 bytes, big end first.
public protocol Identity: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The first eight bytes, big end first.
  var high: UInt64 { get }
  /// The last eight bytes, big end first.
  var low: UInt64 { get }
  /// Makes an identity from its two halves.
  init(high: UInt64, low: UInt64)
}

extension Identity {
  /// Reads 16 bytes, big end first; `nil` for any other length.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      if index < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
    }
    self.init(high: high, low: low)
  }

  /// Reads 16 bytes where they stand, big end first; `nil` for any other length.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }

  /// Reads 32 hexadecimal digits of either case; `nil` for anything else.
  public init?(_ text: String) {
    guard text.utf8.count == 32, let bytes = Hex.decode(text) else { return nil }
    self.init(bytes: bytes)
  }

  /// The 16 bytes, big end first.
  public var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      for index in 0..<8 {
        buffer[index] = UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * index))
        buffer[index + 8] = UInt8(truncatingIfNeeded: low >> UInt64(56 - 8 * index))
      }
      count = 16
    }
  }

  /// Appends the 16 bytes to others.
  package func append(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes.append(contentsOf: $0) }
  }

  /// 32 lower-case hexadecimal digits.
  public var description: String { Hex.encode(bytes) }

  /// Byte order.
  public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
