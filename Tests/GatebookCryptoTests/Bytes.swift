/// The bytes of pairs of hexadecimal digits, as the standards print their vectors.
func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { index in
    UInt8(digits[index] << 4 | digits[index + 1])
  }
}

/// One byte, many times.
func bytes(_ byte: UInt8, times count: Int) -> [UInt8] {
  [UInt8](repeating: byte, count: count)
}

/// Every value that differs from this one in a single bit.
func flips(of bytes: [UInt8]) -> [[UInt8]] {
  (0..<bytes.count * 8).map { bit in
    var flipped = bytes
    flipped[bit / 8] ^= 1 << UInt8(bit % 8)
    return flipped
  }
}
