/// Base64 text, RFC 4648 section 4, with padding.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text for the bytes, padded with `=` to a multiple of four characters.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var group: UInt32 = 0
    var held = 0
    for byte in bytes {
      group = group << 8 | UInt32(byte)
      held += 1
      if held == 3 {
        append(group, 4, to: &text)
        group = 0
        held = 0
      }
    }
    if held > 0 {
      append(group << UInt32(8 * (3 - held)), held + 1, to: &text)
      for _ in held..<3 { text.append(UInt8(ascii: "=")) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func append(_ group: UInt32, _ characters: Int, to text: inout [UInt8]) {
    for index in 0..<characters {
      text.append(alphabet[Int(group >> UInt32(18 - 6 * index)) & 63])
    }
  }

  /// The bytes of canonical, padded text; `nil` for anything else.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count.isMultiple(of: 4) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    for start in stride(from: 0, to: characters.count, by: 4) {
      var group: UInt32 = 0
      var padding = 0
      for index in start..<start + 4 {
        let character = characters[index]
        if character == UInt8(ascii: "="), start + 4 == characters.count, index >= start + 2 {
          padding += 1
          group <<= 6
        } else {
          guard padding == 0, let value = value(character) else { return nil }
          group = group << 6 | value
        }
      }
      for index in 0..<(3 - padding) {
        bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index)))
      }
      // Bits after the last byte must be zero: one text for one value.
      guard padding == 0 || group & (padding == 1 ? 0xFF : 0xFFFF) == 0 else { return nil }
    }
    return bytes
  }

  private static func value(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

/// Base64 text for URLs and file names, RFC 4648 section 5, without padding.
package enum Base64URL {
  /// The text for the bytes, without padding.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    let text = Base64.encode(bytes).utf8.prefix { $0 != UInt8(ascii: "=") }
    return String(
      decoding: text.map { byte in
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: byte
        }
      }, as: UTF8.self)
  }

  /// The bytes of canonical text without padding; `nil` for anything else.
  ///
  /// RFC 7515 section 2: "with all trailing '=' characters omitted ... and without the inclusion
  /// of any line breaks, whitespace, or other additional characters."
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var characters: [UInt8] = []
    characters.reserveCapacity(text.utf8.count + 3)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"): characters.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): characters.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: characters.append(byte)
      }
    }
    while !characters.count.isMultiple(of: 4) { characters.append(UInt8(ascii: "=")) }
    return Base64.decode(String(decoding: characters, as: UTF8.self))
  }
}
