/// One pair of OAuth 2 tokens that a fake portal gave out and has not taken back.
public struct FakePortalToken: Hashable, Sendable {
  /// What opens the calls; `nil` once it was revoked or replaced alone.
  public var accessToken: String?
  /// What gets the next pair; `nil` when there is none.
  public var refreshToken: String?
  /// The application that has it.
  public var clientID: String
  /// Whom it stands for; `nil` for the application itself.
  public var userID: Int64?
  /// What it is good for, names separated by blanks.
  public var scope: String
  /// When the access token ends, on the portal's boot-time clock.
  public var accessExpiry: Duration
  /// When the refresh token ends, on the portal's boot-time clock.
  public var refreshExpiry: Duration
}
