/// The result of a flow with a security check that succeeded.
public struct Authorization: Sendable {
  /// The flow; its challenges, callbacks and events have the same id.
  public let flow: FlowID
  /// The account; `nil` while no check has named a user.
  public let account: AccountID?
  /// The user whom the requested check authenticated; `nil` for checks without users.
  public let user: AuthenticatedUser?
  /// The token; `nil` for a login, which fetches none.
  let token: AccessToken?
  /// What came of a logout.
  let logout: CheckLogout?

  init(
    _ flow: FlowID, account: AccountID?, user: AuthenticatedUser? = nil, token: AccessToken? = nil,
    logout: CheckLogout? = nil
  ) {
    self.flow = flow
    self.account = account
    self.user = user
    self.token = token
    self.logout = logout
  }
}
