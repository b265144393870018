/// A message as MD5 and the SHA family take it: padded to blocks of sixteen 32-bit words.
enum PaddedBlocks {
  /// The blocks: the message, a one bit, zeros and the message's length in bits in 64 bits.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - isBigEndian: How words and the length are written: SHA begins with the highest byte
  ///     (FIPS 180-4 section 5.1.1), MD5 with the lowest (RFC 1321 section 3.2).
  /// - Returns: The blocks.
  static func of(_ message: [UInt8], isBigEndian: Bool) -> [[UInt32]] {
    let zeros = (119 - message.count % 64) % 64
    let length = (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> ($0 * 8)) }
    let tail = isBigEndian ? length.reversed() : length
    let bytes = message + [0x80] + [UInt8](repeating: 0, count: zeros) + tail
    return stride(from: 0, to: bytes.count, by: 64).map { start in
      (0..<16).map { word(bytes[(start + $0 * 4)..<(start + $0 * 4 + 4)], isBigEndian) }
    }
  }

  private static func word(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) -> UInt32 {
    let ordered = isBigEndian ? Array(bytes) : bytes.reversed()
    return ordered.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension UInt32 {
  /// The number with its bits turned to the left.
  func turned(_ count: UInt32) -> UInt32 {
    self << count | self >> (32 - count)
  }
}
