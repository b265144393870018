/// One session of a fake gateway that was not ended.
public struct FakeGatewaySession: Hashable, Sendable {
  /// The session's id: any text.
  public var id: String
  /// Who logged in; `nil` for a session of `/gateway/sessions/session`, which has no user.
  public var username: String?
  /// The value of the `JSESSIONID` that came with it; `nil` when none did.
  public var cookie: String?
}
