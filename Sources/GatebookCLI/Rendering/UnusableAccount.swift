internal import Gatebook

extension Call {
  /// Words a failure by what the book says of the account: one that cannot be used is told as
  /// `whoami` tells it, and what could make it usable.
  func worded<Value>(
    _ account: AccountID, in book: SessionBook, _ body: @MainActor () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch let error as GatebookError where error.code == .sessionRefused {
      let context = try await book.context(of: account)
      guard !context.state.isUsable else { throw error }
      throw UnusableAccount.error(
        context, hasSavedLogin: try await book.hasSavedLogin(account),
        refusal: try await book.haltedLogin(of: account), status: error.status)
    }
  }
}

/// What is said of an account that has no session to use.
enum UnusableAccount {
  /// The failure, in the words of `whoami`.
  static func error(
    _ context: SessionContext, hasSavedLogin: Bool, refusal: FailureCode? = nil,
    status: Int? = nil
  ) -> GatebookError {
    guard context.state != .ended(.erased) else {
      return GatebookError(
        .sessionRefused, "The account was erased.",
        kept: "Its history is kept; its person, its attributes and its secrets are gone.",
        remedy: "A login of the same person makes a new account.", status: status)
    }
    return GatebookError(
      .sessionRefused,
      "The account cannot be used: \(context.state.text).\(refusal.map(words) ?? "")",
      kept: "The account, its attributes and its history are kept.",
      remedy: hasSavedLogin
        ? "`gatebook refresh` logs it in again with what it has saved." : "Log it in again.",
      status: status)
  }

  /// Why what was saved is no help.
  private static func words(_ refusal: FailureCode) -> String {
    [.credentialsRefused, .tokenRefused].contains(refusal)
      ? " The server refused what was saved to log it in again."
      : " What was saved could not log it in again, and is not sent any more by itself."
  }
}
