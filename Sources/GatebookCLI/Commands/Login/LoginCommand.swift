internal import Gatebook
internal import GatebookSystem

/// `gatebook login`.
struct LoginCommand: Command {
  private static let callback = CommandOption.value(
    "--callback", "URL",
    "the whole URL to which the server sent the browser; `-` reads it from standard input")
  /// Lists what waits.
  private static let waiting = CommandOption.flag(
    "--waiting", "list the logins that wait for a redirect or for a code on another device")
  /// Continues a login with a code.
  static let resume = CommandOption(
    name: "--resume", placeholder: "LOGIN",
    note: "continue to wait for the code that is entered on another device", mayLackValue: true)
  /// Gives a login up.
  static let cancel = CommandOption.value(
    "--cancel", "LOGIN", "end a login that is waiting")
  private static let stepUp = CommandOption.flag(
    "--step-up", "log in again on the server's page as strongly as it demanded")

  /// Who logs in, by a method that asks for that.
  static let user = CommandOption.value("--user", "U", "the user name")
  /// What proves the login, by a method that asks for that.
  static let check = CommandOption.value(
    "--check", "URL", "a page that only logged-in users can see")
  static let help = Help(
    "login", "Log an account in again, or log in at a server's address.", in: .login,
    details: [
      "With an account it logs in again with the settings of the last login, and asks only "
        + "for secrets. Options replace those settings, also `--device-url` and the other endpoints of "
        + "`gatebook login oidc`.",
      "With a server's address it asks the server how to log in: OpenID Connect, HTTP "
        + "authentication, or a login form. It prints the command that it runs, and on a "
        + "terminal asks for what is missing. For other methods name the method: `gatebook "
        + "login liferay` and the like.",
      "--callback finishes a login whose redirect arrived elsewhere. Give the URL where the browser "
        + "ended. Gatebook finds the waiting login by its state, no matter which process began it. Each "
        + "redirect works once.",
      "--resume continues a login by a code for another device after its process ended. The "
        + "code is shown again while it is valid. Without LOGIN it takes the code that is valid "
        + "longest.",
      "--waiting lists the logins that wait for a person, and --cancel ends one of them; the command "
        + "that waits for it exits with 130. LOGIN is the id in that list, or its beginning.",
      "--step-up logs in again on the server's page, as strongly and with the scopes that a "
        + "server demanded when it refused a request. A login that is weaker than that is "
        + "rejected, and the session continues as it is.",
      "With --account the login must be of that account. If the server logs in another "
        + "user, Gatebook rejects that login, asks the server to end it, and changes nothing (8). "
        + "Only a MobileFirst account loses its own session then, because its server keeps one "
        + "user for each client.",
    ],
    positionals: [.accountOrServer],
    options: [
      GrantRequest.client, ClientArguments.secretFile, GrantFlow.choice, GrantRequest.scopes, user,
      check, callback, resume, waiting, cancel, stepUp,
    ] + ServerPageArguments.all + LoginArguments.all,
    passedOn: EndpointArguments.all + EndpointArguments.openID,
    examples: ["gatebook login work", "gatebook login https://id.example --client-id app"])

  func run(_ call: Call) async throws -> ExitCode {
    let ways = [Self.callback, Self.resume, Self.waiting, Self.cancel, Self.stepUp]
    switch try call.arguments.only(of: ways) {
    case Self.resume: return try await Self.resume(call)
    case Self.waiting: return try await Self.list(call)
    case Self.cancel: return try await Self.cancel(call)
    case Self.stepUp: return try await Self.stepUp(call)
    default: break
    }
    guard let given = call.arguments[Self.callback] else {
      if let server = call.arguments[.accountOrServer] {
        return try await Self.logIn(at: server, call)
      }
      guard call.globals.account != nil else { return try await Self.menu(call) }
      return try await Self.again(call)
    }
    return try await call.showLogIn { book in
      let account = try await call.namedAccount(book)?.account
      let pasted = given == "-" ? try Self.ask(call.answers) : given
      let redirect = Self.unpadded(pasted)
      // Which login the redirect is of, only its session tells.
      let waiting = try await book.pendingLogins()
      let context = try await book.finishLogIn(redirect: String(redirect), account: account)
      let begun = waiting.first { $0.id == context.session }
      return (context, begun?.label, begun?.savesCredentials ?? false)
    }
  }

  /// What was pasted, without the blanks that came with it.
  private static func unpadded(_ pasted: String) -> Substring {
    let start = pasted.drop { $0 == " " || $0 == "\t" }
    return start.lastIndex { $0 != " " && $0 != "\t" }.map { start[...$0] } ?? ""
  }

  /// On a terminal it is asked for; a pipe brings it as a line, with or without `--password-stdin`.
  private static func ask(_ answers: Answers) throws(GatebookError) -> String {
    let source = FileDescriptor.isTerminal(0) ? answers : answers.fromStandardInput
    let url = try source.secret("URL where the browser ended")
    return url.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// The words after `login` that name a method.
  static var methods: [String] {
    CommandTable.commands.map { $0.help.words }.filter { $0.count == 2 && $0[0] == "login" }
      .map { $0[1] }
  }

  static var incomplete: UsageError {
    let ways = methods.map { "`\($0)`" }
    return UsageError(
      "Which account, or which login method?",
      remedy:
        "To log in again, name an account. To add one, give a server's address or a method: "
        + "\(ways.joined(separator: ", ")). See `gatebook help login`.")
  }
}
