internal import GatebookEvents

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

extension LiferayOAuth2Paths {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Facts) {
    guard let authorize = record["authorize"]?.text, let token = record["token"]?.text else {
      return nil
    }
    self.authorize = authorize
    self.token = token
    revoke = record["revoke"]?.text
  }

  var record: Facts {
    ["authorize": .text(authorize), "revoke": .optional(revoke), "token": .text(token)]
  }
}
