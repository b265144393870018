/// Base64 as the loopback servers read it, independent of the code under test.
enum Base64Text {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Decodes with padding (RFC 4648 section 4); `nil` for anything else.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let source = Array(text.utf8)
    let digits = source.prefix { $0 != UInt8(ascii: "=") }
    let padding = source.dropFirst(digits.count)
    guard source.count.isMultiple(of: 4), padding.count <= 2,
      padding.allSatisfy({ $0 == UInt8(ascii: "=") })
    else { return nil }
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for digit in digits {
      guard let value = alphabet.firstIndex(of: digit) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }

  /// Encodes with padding (RFC 4648 section 4).
  static func encode(_ bytes: [UInt8]) -> String {
    let text = digits(of: bytes)
    return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  }

  /// Encodes for URLs, without padding (RFC 4648 section 5).
  static func encodeForURL(_ bytes: [UInt8]) -> String {
    digits(of: bytes).reduce(into: "") { result, digit in
      result.append(digit == "+" ? "-" : digit == "/" ? "_" : digit)
    }
  }

  private static func digits(of bytes: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for shift in [18, 12, 6, 0].prefix(group.count + 1) {
        text.unicodeScalars.append(Unicode.Scalar(alphabet[bits >> shift & 63]))
      }
    }
    return text
  }
}
