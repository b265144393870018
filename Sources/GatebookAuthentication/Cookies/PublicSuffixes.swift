/// The names under which anybody can register a domain, such as `com` or `co.uk`.
///
/// A cookie for such a name would be sent to unrelated servers (RFC 6265 section 5.3 step 5). Without a list,
/// the `Domain` attribute must equal the host.
public protocol PublicSuffixes: Sendable {
  /// Whether a domain, lower case and without a leading dot, is a public suffix.
  func contains(_ domain: String) -> Bool
}
