/// Whose connections a request may use and whom it trusts: accounts never share a connection.
public struct Route: Hashable, Sendable {
  /// Names the pool of connections: the account's or the login attempt's identity.
  public var pool: String
  /// Which servers are trusted over TLS.
  public var trust: Trust
  /// What a proxy on the way gets, and nobody else.
  public var proxyCredential: ProxyCredential?
  /// Whether what goes without TLS may pass a proxy that the environment names: the proxy can read and
  /// change it.
  public var allowsCleartext = false

  /// Makes a route.
  public init(pool: String, trust: Trust = .system) {
    self.pool = pool
    self.trust = trust
  }
}
