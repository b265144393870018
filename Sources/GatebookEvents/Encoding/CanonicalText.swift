/// How canonical JSON writes texts and integers.
package enum CanonicalText {
  /// Writes a text in quotes with exactly the escapes of RFC 8785 section 3.2.2.2.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { content in
      if content.allSatisfy(isPlain) {
        bytes.append(contentsOf: content)
      } else {
        for byte in content { append(character: byte, to: &bytes) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes an integer in decimal digits.
  package static func append(_ integer: Int64, to bytes: inout [UInt8]) {
    // 19 digits and a sign.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.endIndex
      var rest = integer.magnitude
      repeat {
        start -= 1
        digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      } while rest > 0
      if integer < 0 {
        start -= 1
        digits.initializeElement(at: start, to: UInt8(ascii: "-"))
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func append(character byte: UInt8, to bytes: inout [UInt8]) {
    guard !isPlain(byte) else {
      bytes.append(byte)
      return
    }
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 8: bytes.append(UInt8(ascii: "b"))
    case 9: bytes.append(UInt8(ascii: "t"))
    case 10: bytes.append(UInt8(ascii: "n"))
    case 12: bytes.append(UInt8(ascii: "f"))
    case 13: bytes.append(UInt8(ascii: "r"))
    default: bytes.append(contentsOf: "u00\(Hex.encode([byte]))".utf8)
    }
  }
}
