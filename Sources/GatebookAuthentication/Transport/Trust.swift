/// Which TLS servers an account trusts.
public enum Trust: Hashable, Sendable {
  /// The machine's certificate authorities.
  case system
  /// The authorities in a PEM file, and only those.
  case authorities(file: String)
}
