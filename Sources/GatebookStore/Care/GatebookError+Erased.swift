package import GatebookEvents

extension GatebookError {
  /// The error for a late use of an erased account.
  package static func erased(_ account: AccountID) -> GatebookError {
    var error = GatebookError(
      .preconditionFailed, "The account was erased: \(account).",
      kept: "Its history is kept; nothing was added to it.",
      remedy: "Log in again: that creates a new account.")
    error.isFinal = true
    return error
  }

  /// The error for encrypting for an account whose key was lost with a damaged book.
  package static func keyLost(_ account: AccountID) -> GatebookError {
    var error = GatebookError(
      .preconditionFailed, "The key of account \(account) was lost when the book was damaged.",
      kept: "Its history is kept; nothing was added to it.",
      remedy: "Log in again: that creates a new account.")
    error.isFinal = true
    return error
  }
}
