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
}
