/// The CSRF token in a portal's page: `Liferay.authToken = "…"`, either quote, any blanks.
package enum LiferayToken {
  private static let mark = Array("Liferay.authToken".utf8)

  /// The first token of a page, 6 to 64 characters of `A-Z a-z 0-9 _ -`; `nil` when there is none.
  ///
  /// A page for nobody in particular has one too: a token proves no login.
  package static func find(in page: [UInt8]) -> String? {
    var rest = page[...]
    while let start = rest.firstRange(of: mark) {
      rest = rest[start.upperBound...]
      if let token = value(rest) { return token }
    }
    return nil
  }

  private static func value(_ bytes: ArraySlice<UInt8>) -> String? {
    let equals = bytes.drop(while: isBlank)
    guard equals.first == UInt8(ascii: "=") else { return nil }
    let quoted = equals.dropFirst().drop(while: isBlank)
    guard let quote = quoted.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
      return nil
    }
    let token = quoted.dropFirst().prefix { isTokenByte($0) }
    guard (6...64).contains(token.count), quoted.dropFirst(token.count + 1).first == quote else {
      return nil
    }
    return String(decoding: token, as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0A, 0x0D].contains(byte)
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
