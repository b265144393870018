/// Which connections a request may use, and what it trusts: accounts never share a connection.
public struct Route: Hashable, Sendable {
  /// The name of the pool of connections: the identity of the account or the login attempt.
  public var pool: String
  /// Which servers are trusted over TLS.
  public var trust: Trust
  /// The credential for a proxy on the way, and for nothing else.
  public var proxyCredential: ProxyCredential?
  /// Whether requests without TLS may pass a proxy of the environment, which can read and change them.
  public var allowsCleartext = false

  /// Makes a route.
  public init(pool: String, trust: Trust = .system) {
    self.pool = pool
    self.trust = trust
  }
}
