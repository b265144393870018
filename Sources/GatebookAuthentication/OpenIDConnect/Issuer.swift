/// A server's name of itself, as OpenID Connect and OAuth 2 have it: a URL that is compared byte for
/// byte, as somebody wrote it.
///
/// `https://id.example`, `https://id.example/` and `https://id.example:443` are one place and three
/// names. Only the name that the server publishes is its own.
///
/// Source: OpenID Connect Discovery 1.0 section 4.3, RFC 8414 section 3.3.
public struct Issuer: Hashable, Sendable, CustomStringConvertible {
  /// The name as it was written.
  public let description: String
  /// Where the server is.
  public let url: HTTPURL

  /// Reads a name; `nil` for what ``HTTPURL`` refuses.
  public init?(_ text: some StringProtocol) {
    guard let url = HTTPURL(text) else { return nil }
    description = String(text)
    self.url = url
  }

  /// Whether a server calls itself so.
  func isNamed(_ text: String) -> Bool { description.utf8.elementsEqual(text.utf8) }
}
