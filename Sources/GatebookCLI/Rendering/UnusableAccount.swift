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
        context, hasSavedLogin: try await book.hasSavedLogin(account), status: error.status)
    }
  }
}

/// What is said of an account that has no session to use.
enum UnusableAccount {
  /// The failure, in the words of `whoami`.
  static func error(
    _ context: SessionContext, hasSavedLogin: Bool, status: Int? = nil
  ) -> GatebookError {
    GatebookError(
      .sessionRefused, "The account cannot be used: \(context.state.text).",
      kept: "The account, its attributes and its history are kept.",
      remedy: hasSavedLogin
        ? "`gatebook refresh` logs it in again with what it has saved." : "Log it in again.",
      status: status)
  }
}
