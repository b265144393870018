/// Base64 text, RFC 4648 section 4, with padding.
package enum Base64 {
  private static let form = Base64Form("+/", isPadded: true)

  /// The text for the bytes, padded with `=` to a multiple of four characters.
  package static func encode(_ bytes: some Collection<UInt8>) -> String { form.encode(bytes) }

  /// The bytes of canonical, padded text; `nil` for anything else.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? { form.decode(text) }
}

/// Base64 text for URLs and file names, RFC 4648 section 5, without padding.
package enum Base64URL {
  private static let form = Base64Form("-_", isPadded: false)

  /// The text for the bytes, without padding.
  package static func encode(_ bytes: some Collection<UInt8>) -> String { form.encode(bytes) }

  /// The bytes of canonical text without padding; `nil` for anything else.
  ///
  /// RFC 7515 section 2: "with all trailing '=' characters omitted ... and without the inclusion
  /// of any line breaks, whitespace, or other additional characters."
  package static func decode(_ text: some StringProtocol) -> [UInt8]? { form.decode(text) }
}

/// One of the two alphabets: they differ in their last two characters.
private struct Base64Form: Sendable {
  private let alphabet: [UInt8]
  private let isPadded: Bool

  init(_ last: String, isPadded: Bool) {
    alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
    self.isPadded = isPadded
  }

  func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var (bits, held): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      held += 8
      while held >= 6 {
        held -= 6
        text.append(alphabet[Int(bits >> held & 63)])
      }
    }
    if held > 0 { text.append(alphabet[Int(bits << (6 - held) & 63)]) }
    while isPadded, !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  func decode(_ text: some StringProtocol) -> [UInt8]? {
    var characters = Array(text.utf8)[...]
    guard !isPadded || characters.count.isMultiple(of: 4) else { return nil }
    for _ in 0..<2 where isPadded && characters.last == UInt8(ascii: "=") {
      characters.removeLast()
    }
    guard characters.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3 + 2)
    var (bits, held): (UInt32, UInt32) = (0, 0)
    for character in characters {
      guard let value = value(character) else { return nil }
      bits = bits << 6 | value
      held += 6
      guard held >= 8 else { continue }
      held -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> held))
    }
    // Bits after the last byte must be zero: one text for one value.
    return bits & (1 << held - 1) == 0 ? bytes : nil
  }

  private func value(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case alphabet[62]: 62
    case alphabet[63]: 63
    default: nil
    }
  }
}
