internal import Gatebook
internal import Glibc

/// `gatebook login`.
struct LoginCommand: Command {
  private static let callback = CommandOption.value(
    "--callback", "URL",
    "the whole URL to which the server sent the browser; `-` reads it from standard input")
  private static let resume = CommandOption.flag(
    "--resume", "go on waiting for the code that is entered on another device")
  private static let stepUp = CommandOption.flag(
    "--step-up", "log in anew as a server demanded of a request, on the server's page")

  static let help = Help(
    "login", "Log in, or go on with a login that waits for the person.", in: .login,
    details: [
      "To log in, one word more says how.",
      "With --callback a login is finished whose redirect arrived elsewhere. Give the URL where the "
        + "browser ended: the waiting login that it belongs to is found by its state, in this book, "
        + "whichever process began it. Each redirect works once.",
      "With --resume a login by a code for another device goes on whose process has died: the code "
        + "is shown again as long as it lives. Of several it is the one that was begun last.",
      "With --step-up the account logs in once more on the server's page, as strongly and with the "
        + "scopes that a server wanted when it refused a request. What does not come up to that is "
        + "refused; until then the session goes on as it is.",
      "With --account it must be that account's: another user's is rejected, ended at the server, "
        + "and nothing changes (8).",
    ],
    options: [callback, resume, stepUp] + PageArguments.all + [
      Answers.standardInputOption, LoginArguments.timeoutOption,
    ],
    exits: LoginArguments.exits,
    example: "gatebook login --callback -")

  func run(_ call: Call) async throws -> ExitCode {
    let ways = [Self.callback, Self.resume, Self.stepUp].filter { call.arguments.has($0) }
    guard ways.count < 2 else { throw Self.several(ways) }
    switch ways.first {
    case Self.resume: return try await Self.resume(call)
    case Self.stepUp: return try await Self.stepUp(call)
    default: break
    }
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

  @MainActor private static func resume(_ call: Call) async throws -> ExitCode {
    let timeout = try LoginArguments.timeout(call.arguments)
    let context = try await call.withBook(timeout: timeout) { book in
      let account = try await call.namedAccount(book)?.account
      guard let login = try await book.deviceLogins().max(by: { $0.deadline < $1.deadline }) else {
        throw Self.nothingWaits
      }
      return try await book.resumeLogIn(login.id, account: account, browser: call.codeScreen)
    }
    call.output.account(context, isFull: false)
    return .done
  }

  private static let nothingWaits = GatebookError(
    .stateMismatch, "No login waits for a code.", kept: "Sessions are as before.",
    remedy: "Its life may be over: log in anew.")

  @MainActor private static func stepUp(_ call: Call) async throws -> ExitCode {
    let place = try RedirectPlace(call.arguments[PageArguments.redirect])
    let timeout = try LoginArguments.timeout(call.arguments)
    let context = try await call.withBook(timeout: timeout) { book in
      let account = try await call.account(book).account
      let (method, options) = try await book.stepUpLogin(
        of: account, redirectURI: GrantRequest.uri(place.uri))
      return try await call.logIn(on: place, book, method, options)
    }
    call.output.account(context, isFull: false)
    return .done
  }

  private static func several(_ ways: [CommandOption]) -> UsageError {
    let names = ways.map { "`\($0.name)`" }.joined(separator: " and ")
    return UsageError(
      "\(names) do not go together.",
      remedy: "Give the one that fits how the login was begun.")
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
      "`login` needs one word more, or `--callback`, `--resume` or `--step-up`.",
      remedy: "Say which: \(ways.joined(separator: ", ")). See `gatebook help login`.")
  }
}
