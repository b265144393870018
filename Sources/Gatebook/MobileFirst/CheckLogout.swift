/// What the server said to the logout of a check; here it has happened in any case.
public enum CheckLogout: Hashable, Sendable {
  /// The server ended the check's state.
  case done
  /// There was nothing to end: the client was never registered.
  case nothingToEnd
  /// The server did not end it, or was not reached.
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
