/// The result of a flow with a security check that succeeded.
public struct Authorization: Sendable {
  /// The flow; its challenges, callbacks and events have the same id.
  public let flow: FlowID
  /// The account; `nil` while no check has named a user.
  public let account: AccountID?
  /// The user whom the requested check authenticated; `nil` for checks without users.
  public internal(set) var user: AuthenticatedUser?
  /// The token; `nil` for a login, which fetches none.
  var token: AccessToken?
  /// What came of a logout.
  var logout: CheckLogout?
}

/// The server's reply to the logout of a check; in the book the logout is always done.
public enum CheckLogout: Hashable, Sendable {
  /// The server ended the check's state.
  case done
  /// There was nothing to end: the client was never registered.
  case nothingToEnd
  /// The server did not end it, or could not be reached.
  case failed(FailureCode?, status: Int?)

  /// What `logout.completed` says of it.
  var completed: LogoutCompleted {
    switch self {
    case .done: return LogoutCompleted(server: "done")
    case .nothingToEnd: return LogoutCompleted(server: "none")
    case .failed(let code, let status):
      var completed = LogoutCompleted(server: "failed")
      completed.failure.code = code
      completed.failure.status = status.map(Int64.init)
      return completed
    }
  }
}
