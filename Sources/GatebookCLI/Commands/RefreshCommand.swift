internal import Gatebook

/// `gatebook refresh`.
struct RefreshCommand: Command {
  static let help = Help(
    "refresh", "Renew the session now.", in: .login,
    details: [
      "A session that cannot be renewed, such as one by HTTP authentication, does not change; a message "
        + "says so.",
      "An account without a session logs in again with its saved credentials, if it has any.",
      "A refresh token that was sent twice without an answer counts as used up. If the server never "
        + "received it, --again saves the session. If it did, many servers end the session.",
    ],
    positionals: [.account],
    options: [
      again, Answers.standardInputOption, LoginArguments.timeoutOption,
    ],
    examples: ["gatebook refresh work", "gatebook refresh"])

  private static let again = CommandOption.flag(
    "--again", "send a refresh token once more that counts as used up")

  func run(_ call: Call) async throws -> ExitCode {
    let (before, context, isRenewed, news) = try await call.withBook { book in
      let before = try await call.account(book)
      let account = before.account
      let watch = try await RenewalWatch(account, in: book)
      let isRenewed = try await call.advised(account, in: book) {
        try await Self.renew(
          account, in: book, evenIfUsedUp: call.arguments.has(Self.again), call)
      }
      // What was granted and is not written yet would be shown as it was before.
      await call.waitUntilWritten(book)
      let after = try await book.context(of: account)
      return (before, after, isRenewed, await watch.news(in: book))
    }
    if isRenewed, context.session != before.session {
      call.output.loggedIn(context)
    } else {
      let person = AccountRendering.person(context)
      call.output.success(
        context,
        isRenewed ? "Renewed the session of \(person)" : "Kept the session of \(person)")
    }
    for line in news { call.output.message(line) }
    if !isRenewed { call.output.message("There was nothing to renew.") }
    return .done
  }

  @MainActor private static func renew(
    _ account: AccountID, in book: SessionBook, evenIfUsedUp: Bool, _ call: Call
  ) async throws -> Bool {
    let context = try await book.context(of: account)
    if context.state.isUsable {
      do throws(GatebookError) {
        return try await book.renewNow(account, evenIfUsedUp: evenIfUsedUp)
      } catch  where error.code == .sessionRefused {
        // A session whose secret is missing has ended by that; what was saved logs in all the same.
        guard try await book.context(of: account).state == .needsLogin(.secretMissing),
          try await book.hasSavedLogin(account)
        else { throw error }
      }
    }
    guard context.state != .ended(.erased) else {
      throw try await call.unusable(context, in: book)
    }
    try await book.logInAgain(account, evenIfUsedUp: evenIfUsedUp)
    return true
  }
}
