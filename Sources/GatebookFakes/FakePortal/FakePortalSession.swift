/// One live session of a fake portal.
public struct FakePortalSession: Hashable, Sendable {
  /// The value of `JSESSIONID`.
  public var id: String
  /// The CSRF token.
  public var csrfToken: String
  /// Who is logged in; `nil` for a guest.
  public var userID: Int64?
  /// When the portal last saw it, on its boot-time clock.
  public var lastSeen: Duration
}
