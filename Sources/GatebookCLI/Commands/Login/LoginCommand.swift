internal import Gatebook
internal import Glibc

/// `gatebook login`.
struct LoginCommand: Command {
  private static let callback = CommandOption.value(
    "--callback", "URL",
    "the whole URL to which the server sent the browser; `-` reads it from standard input")

  static let help = Help(
    "login", "Log in, or finish a login whose redirect arrived elsewhere.", in: .login,
    details: [
      "To log in, one word more says how.",
      "With --callback a login is finished whose redirect arrived elsewhere. Give the URL where the "
        + "browser ended: the waiting login that it belongs to is found by its state, in this book, "
        + "whichever process began it. Each redirect works once.",
      "With --account it must be that account's: another user's is rejected, ended at the server, "
        + "and nothing changes (8).",
    ],
    options: [callback, Answers.standardInputOption, LoginArguments.timeoutOption],
    exits: LoginArguments.exits,
    example: "gatebook login --callback -")

  func run(_ call: Call) async throws -> ExitCode {
    guard let given = call.arguments[Self.callback] else { throw Self.incomplete }
    let timeout = try LoginArguments.timeout(call.arguments)
    let context = try await call.withBook(timeout: timeout) { book in
      let account = try await call.namedAccount(book)?.account
      let redirect = given == "-" ? try Self.ask(call.answers) : given
      return try await book.finishLogIn(redirect: redirect, account: account)
    }
    call.output.account(context, isFull: false)
    return .done
  }

  /// On a terminal it is asked for; a pipe brings it as a line, with or without `--password-stdin`.
  private static func ask(_ answers: Answers) throws(GatebookError) -> String {
    let source = isatty(0) == 1 ? answers : answers.fromStandardInput
    let url = try source.secret("URL where the browser ended")
    return url.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  private static var incomplete: UsageError {
    let ways = CommandTable.commands.map { $0.help.words }.filter {
      $0.count == 2 && $0[0] == "login"
    }
    .map { "`\($0[1])`" }
    return UsageError(
      "`login` needs one word more, or `--callback`.",
      remedy: "Say which: \(ways.joined(separator: ", ")). See `gatebook help login`.")
  }
}
