/// Knows under which names anybody may register a domain, such as `com` or `co.uk`.
///
/// A cookie for such a name would go to strangers (RFC 6265 section 5.3 step 5). Without a list a
/// `Domain` attribute must equal the host.
public protocol PublicSuffixes: Sendable {
  /// Whether a domain, lower case and without a leading dot, is a public suffix.
  func contains(_ domain: String) -> Bool
}
