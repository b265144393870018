/// An issuer of OpenID Connect or OAuth 2: a URL that is compared byte for byte, as it was written.
///
/// `https://id.example`, `https://id.example/` and `https://id.example:443` are the same server but three
/// issuers. Only the one that the server publishes is correct.
///
/// Source: OpenID Connect Discovery 1.0 section 4.3, RFC 8414 section 3.3.
public struct Issuer: Hashable, Sendable, CustomStringConvertible {
  /// The issuer as it was written.
  public let description: String
  /// The server's URL.
  public let url: HTTPURL

  /// Reads an issuer; `nil` for text that ``HTTPURL`` rejects.
  public init?(_ text: some StringProtocol) {
    guard let url = HTTPURL(text) else { return nil }
    description = String(text)
    self.url = url
  }

  /// The issuer where this is the address of its description (OpenID Connect Discovery 1.0 section 4,
  /// RFC 8414 section 3.1); `nil` for any other address.
  var withoutDescription: String? {
    let text = description.hasSuffix("/") ? String(description.dropLast()) : description
    for place in ["openid-configuration", "oauth-authorization-server"] {
      let parts = text.split(
        separator: "/.well-known/\(place)", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[1].isEmpty || parts[1].hasPrefix("/") {
        return String(parts[0] + parts[1])
      }
    }
    return nil
  }

  /// Whether a server calls itself so.
  func isNamed(_ text: String) -> Bool { description.utf8.elementsEqual(text.utf8) }
}
