/// The server's reply to the logout of a check; in the book the logout is always done.
public enum CheckLogout: Hashable, Sendable {
  /// The server ended the check's state.
  case done
  /// There was nothing to end: the client was never registered.
  case nothingToEnd
  /// The server did not end it, or could not be reached.
  case failed(FailureCode?, status: Int?)

  /// The facts that tell it in `logout.completed`.
  var facts: Facts {
    switch self {
    case .done: ["server": "done"]
    case .nothingToEnd: ["server": "none"]
    case .failed(let code, let status):
      [
        "code": .optional(code?.rawValue), "server": "failed",
        "status": .optional(status.map(Int64.init)),
      ]
    }
  }
}
