package import GatebookEvents

/// The paths of a portal's OAuth 2 below the portal's URL; settings of the account.
public struct LiferayOAuth2Paths: Hashable, Sendable {
  /// The authorization endpoint: the login page.
  public var authorize = "o/oauth2/authorize"
  /// The token endpoint.
  public var token = "o/oauth2/token"
  /// The revocation endpoint (RFC 7009); `nil` for none, because not all portals have one.
  public var revoke: String?

  /// Makes the defaults.
  public init() {}
}

extension LiferayOAuth2Paths: StoredRecord {
  /// The paths.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    authorize = try facts.required("authorize", kept?.authorize)
    revoke = facts.optional("revoke", kept?.revoke)
    token = try facts.required("token", kept?.token)
  }
}
