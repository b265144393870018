/// URIs that an app or a person gives as they are registered somewhere, such as for redirects.
package enum AbsoluteURI {
  /// Whether it is a scheme, a colon, and nothing that needs encoding behind it (RFC 3986 sections
  /// 2 and 3.1).
  package static func isValid(_ text: String) -> Bool {
    let scheme = text.utf8.prefix { $0 != .colon }
    return scheme.first?.isLetter == true && scheme.count < text.utf8.count
      && scheme.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
