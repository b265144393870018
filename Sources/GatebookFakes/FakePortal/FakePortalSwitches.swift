/// How a fake portal behaves, right or wrong; every switch may be changed while it runs.
///
/// What happens to single requests is a `LoopbackFault` instead.
public struct FakePortalSwitches: Hashable, Sendable {
  /// The release it behaves like.
  public var version: FakePortalVersion
  /// How far its wall clock is ahead: in `Date` and in the expiry of cookies.
  public var clockSkew = Duration.zero
  /// Whether pages come without a CSRF token.
  public var omitsToken = false
  /// Whether the login form needs the CSRF token of a guest's session.
  public var needsTokenForLogin = false
  /// A server in front that asks for Basic or Digest of its own; `nil` for none.
  public var front: FakePortalFront?
  /// By which name users log in, with Basic and in the form.
  public var loginName = FakePortalLoginName.any
  /// Whether a remembered login sets `PASSWORD`, as all but the newest releases do.
  public var setsPasswordCookie = true

  /// Whether an unknown or expired Bearer token counts as a guest's (403 access denied).
  ///
  /// Else it gets 401; which of them a portal does is inferred.
  public var takesBadBearerForGuest = false
  /// How long an old refresh token is still accepted after a refresh has replaced it.
  ///
  /// Some servers do so for clients that lost the answer. Each use grants another new pair.
  public var refreshTokenGrace = Duration.zero
  /// Whether a refresh ends the access token of the old pair too (inferred).
  public var endsAccessTokenOnRefresh = false
  /// Whether token answers come without `refresh_token`: a login gets none, a refresh keeps the
  /// old.
  public var omitsRefreshToken = false
  /// Whether token answers come without `expires_in`.
  public var omitsExpiresIn = false
  /// Whether a wrong client secret gets an empty 401, as from older portals.
  public var emptyRefusalOfBadClient = false
  /// Whether tokens can be taken back at `/o/oauth2/revoke` (inferred: the path).
  public var hasRevocation = false
  /// How long an access token lives.
  public var accessTokenLifetime = Duration.seconds(600)
  /// Whether OAuth 1.0a refusals come without `oauth_problem` (inferred).
  public var omitsOAuthProblem = false
  /// What `oauth_callback_confirmed` says; `nil` leaves it out.
  public var callbackConfirmation: String? = "true"

  /// Makes the switches of a portal that behaves well.
  public init(version: FakePortalVersion = .v73) {
    self.version = version
  }
}

/// The release that a fake portal behaves like.
public enum FakePortalVersion: Int, CaseIterable, Sendable {
  /// 6.2: errors are flat and come with status 200, ids are JSON numbers.
  case v62 = 62
  /// 7.0: errors have a status, ids are decimal texts.
  case v70 = 70
  /// 7.1.
  case v71 = 71
  /// 7.2.
  case v72 = 72
  /// 7.3.
  case v73 = 73
}

/// By which name a portal's users log in.
public enum FakePortalLoginName: String, CaseIterable, Sendable {
  /// By any of the three.
  case any
  /// By e-mail address.
  case emailAddress
  /// By screen name.
  case screenName
  /// By user id.
  case userID = "userId"

  func names(_ user: FakePortalUser, as name: String) -> Bool {
    switch self {
    case .emailAddress: user.emailAddress.lowercased() == name.lowercased()
    case .screenName: user.screenName.lowercased() == name.lowercased()
    case .userID: String(user.userID) == name
    case .any:
      [.emailAddress, .screenName, .userID].contains { (kind: Self) in kind.names(user, as: name) }
    }
  }
}
