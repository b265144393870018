package import GatebookEvents

extension GatebookError {
  /// Whoever comes late to an account that was erased.
  package static func erased(_ account: AccountID) -> GatebookError {
    var error = GatebookError(
      .preconditionFailed, "The account was erased: \(account).",
      kept: "Its history is kept; nothing was added to it.",
      remedy: "Log in again: that creates a new account.")
    error.isFinal = true
    return error
  }

  /// Whoever would seal something for an account whose key was lost with a damaged book.
  package static func keyLost(_ account: AccountID) -> GatebookError {
    var error = GatebookError(
      .preconditionFailed, "The key of account \(account) was lost when the book was damaged.",
      kept: "Its history is kept; nothing was added to it.",
      remedy: "Log in again: that creates a new account.")
    error.isFinal = true
    return error
  }
}
