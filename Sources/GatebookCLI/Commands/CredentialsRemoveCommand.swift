internal import Gatebook

/// `gatebook credentials remove`.
struct CredentialsRemoveCommand: Command {
  static let help = Help(
    "credentials remove", "Forget the credentials that log the account in again automatically.",
    in: .accounts,
    details: [
      "The current session continues. The command works after a logout too. Gatebook then revokes a "
        + "saved refresh token at its server, or later if the server cannot be reached."
    ],
    positionals: [.account], options: [Answers.standardInputOption],
    examples: ["gatebook credentials remove work", "gatebook credentials remove"])

  func run(_ call: Call) async throws -> ExitCode {
    let (context, hadAny, waiting) = try await call.withBook { book in
      let account = try await call.account(book).account
      let hadAny = try await book.removeCredentials(of: account)
      return (
        try await book.context(of: account), hadAny, try await book.waitingDeliveries(of: account)
      )
    }
    let person = AccountRendering.person(context)
    call.output.success(
      context,
      hadAny
        ? "Removed the saved credentials of \(person)" : "\(person) has no saved credentials",
      tellsState: false)
    if !hadAny { call.output.message("There were no saved credentials.") }
    if hadAny, waiting > 0 {
      call.output.message(
        "The server was not told yet: `gatebook sync\(call.givenPlace)` tells it.")
    }
    return .done
  }
}
