/// Percent-encoding as the loopback servers read it, independent of the code under test.
enum PercentText {
  /// Decodes `%XX`; an incomplete or odd sequence stays as it is.
  static func decode(_ text: some StringProtocol, plusIsBlank: Bool) -> String {
    let source = Array(text.utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
        let high = digit(source[index + 1]), let low = digit(source[index + 2])
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        let isBlank = plusIsBlank && source[index] == UInt8(ascii: "+")
        bytes.append(isBlank ? UInt8(ascii: " ") : source[index])
        index += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Encodes all but letters, digits, `-`, `.`, `_`, `~` and the characters of `keeping`.
  static func encode(_ text: String, keeping: String = "") -> String {
    let kept = Set("-._~\(keeping)".utf8)
    let digits = Array("0123456789ABCDEF")
    return text.utf8.reduce(into: "") { result, byte in
      if kept.contains(byte) || isAlphanumeric(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
