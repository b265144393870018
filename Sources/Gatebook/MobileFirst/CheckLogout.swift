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
