internal import GatebookEvents

/// Where a portal's OAuth 2 lives, below the portal's URL; settings of the account.
public struct LiferayOAuth2Paths: Hashable, Sendable {
  /// The page that the person visits.
  public var authorize = "o/oauth2/authorize"
  /// Where codes, passwords and refresh tokens become tokens.
  public var token = "o/oauth2/token"
  /// Where a logout revokes the tokens (RFC 7009); `nil`: nowhere, as not all portals have it.
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
