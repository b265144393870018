/// Base64 as the loopback servers read and write it, independent of the code under test.
enum Base64Text {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Decodes the alphabet of URLs, with padding or without (RFC 4648 section 5), or the usual one
  /// with padding; `nil` for anything else.
  static func decodeURL(_ text: String) -> [UInt8]? {
    let isUsual = text.utf8.contains(UInt8(ascii: "+")) || text.utf8.contains(UInt8(ascii: "/"))
    guard !isUsual, !text.utf8.contains(UInt8(ascii: "=")) else {
      return isUsual ? decode(text) : decode(usual(text))
    }
    let missing = (4 - text.utf8.count % 4) % 4
    return decode(usual(text) + String(repeating: "=", count: missing))
  }

  private static func usual(_ text: String) -> String {
    String(decoding: text.utf8.map { usual[$0] ?? $0 }, as: UTF8.self)
  }

  private static let usual = [
    UInt8(ascii: "-"): UInt8(ascii: "+"), UInt8(ascii: "_"): UInt8(ascii: "/"),
  ]

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
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        digits.append(alphabet[Int(bits >> UInt32(count)) & 63])
      }
    }
    if count > 0 { digits.append(alphabet[Int(bits << UInt32(6 - count)) & 63]) }
    while !digits.count.isMultiple(of: 4) { digits.append(UInt8(ascii: "=")) }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Encodes for URLs, without padding (RFC 4648 section 5).
  static func encodeForURL(_ bytes: [UInt8]) -> String {
    encode(bytes).reduce(into: "") { result, digit in
      switch digit {
      case "+": result += "-"
      case "/": result += "_"
      case "=": break
      default: result.append(digit)
      }
    }
  }
}
