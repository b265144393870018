internal import Gatebook

/// `gatebook logout`.
struct LogoutCommand: Command {
  private static let all = CommandOption.flag("--all", "log out every account")
  private static let forget = CommandOption.flag("--forget", "remove saved credentials too")

  static let help = Help(
    "logout", "Log out: here at once, online or not, then at the server.", in: .login,
    details: [
      "The session's secrets are destroyed. The account stays in the book, and with --forget "
        + "nothing is left that could log it in again by itself."
    ],
    options: [all, forget, Answers.standardInputOption],
    exits: [.done, .usage, .loginNeeded, .damaged, .busy, .cannotOpen],
    example: "gatebook logout --account work --forget")

  func run(_ call: Call) async throws -> ExitCode {
    let forgets = call.arguments.has(Self.forget)
    let contexts = try await call.withBook { book in
      // Naming nobody in an empty book is told as such, also with --all.
      let one = try await call.account(book)
      let accounts = call.arguments.has(Self.all) ? try await book.accounts() : [one]
      var ended: [SessionContext] = []
      for account in accounts {
        ended.append(try await book.logOut(account.account, forgettingCredentials: forgets))
      }
      return ended
    }
    call.output.accounts(contexts)
    return .done
  }
}
