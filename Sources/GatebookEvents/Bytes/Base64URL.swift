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

  /// The bytes behind canonical text without padding; `nil` for anything else.
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
