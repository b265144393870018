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
    guard equals.first == .equals else { return nil }
    let quoted = equals.dropFirst().drop(while: isBlank)
    guard let quote = quoted.first, quote == UInt8(ascii: "'") || quote == .quote else {
      return nil
    }
    let token = quoted.dropFirst().prefix { $0.isLetter || $0.isDigit || "_-".utf8.contains($0) }
    guard (6...64).contains(token.count), quoted.dropFirst(token.count + 1).first == quote else {
      return nil
    }
    return token.text
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte.isBlank || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }
}
