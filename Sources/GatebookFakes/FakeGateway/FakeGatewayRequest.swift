/// One request that a fake gateway received, and what it made of it.
public struct FakeGatewayRequest: Hashable, FakeServerVisit {
  /// The request as it came, with its cookies.
  public var request: LoopbackRequest
  /// Whose session was begun or ended; `nil` when none was.
  public var username: String?
  /// The session id in the path of a logout, decoded; `nil` for other routes.
  public var sessionID: String?
  /// Whose login gave out the `JSESSIONID` that came along, ended sessions included; `nil` when
  /// none came or nobody got it.
  public var cookieOwner: String?
  /// The status that the gateway answered; `nil` when a fault came before it acted.
  public var status: Int?

  init(_ request: LoopbackRequest) {
    self.request = request
  }
}
