internal import Gatebook
internal import GatebookCurl
internal import GatebookLoginPage

/// `gatebook login mobilefirst`.
struct LoginMobileFirstCommand: RepeatableLogin {
  private static let server = CommandOption.value(
    "--server", "URL", "the server with its context path, such as https://host:9443/mfp",
    kept: "app.server")
  private static let app = CommandOption.value(
    "--app", "ID", "the application's id", kept: "app.application")
  private static let version = CommandOption.value(
    "--app-version", "V", "the application's version, if it has one", kept: "app.version")
  private static let usualPlatform = "android"
  private static let platform = CommandOption.value(
    "--platform", "P", "the platform under which the application is registered (\(usualPlatform))",
    kept: "app.platform", usual: usualPlatform)
  private static let check = CommandOption.value(
    "--check", "NAME", "the security check to answer, by its exact name", kept: "check")
  private static let remember = CommandOption.flag(
    "--remember-me", "let the server remember this login", kept: "rememberMe")

  static let help = Help(
    "login mobilefirst", "Log in to a MobileFirst server.", in: .login,
    details: [
      "Gatebook answers the check with user name and password; the check must name its user. On a "
        + "terminal, Gatebook asks again after a wrong answer while the server allows attempts.",
      LoginArguments.questions(),
    ],
    options: [
      server, app, version, platform, check, LoginArguments.user, remember,
      ServerPageArguments.noBrowser,
    ]
      + LoginArguments.all.filter { $0 != LoginArguments.saveOption },
    examples: [
      "gatebook login mobilefirst --server https://mfp.example/mfp --app com.example.app "
        + "--check UserLogin --user ada"
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let check = try arguments.required(Self.check)
    try LoginPageArguments.check(arguments)
    let user = try call.askedUser(LoginArguments.user)
    var app = MobileFirstApp(
      server: try arguments.url(Self.server),
      applicationID: try arguments.required(Self.app), version: arguments[Self.version],
      platform: arguments[Self.platform] ?? Self.usualPlatform)
    if let timeout = try LoginArguments.timeout(arguments) { app.loginTimeout = timeout }
    let options = try LoginArguments.options(arguments, at: app.server.origin)
    try CurlTransport.check(options.trust)
    try SessionBook.checkLogIn(app, options: options)
    if call.hasLoginPage {
      let form = LoginForm.mobileFirst(
        app, check: check, user: user ?? "", rememberMe: arguments.has(Self.remember))
      return try await call.logIn(by: form, options)
    }
    let name = try user ?? call.requiredUser(LoginArguments.user)
    let context = try await call.withBook(mayMake: call.globals.account == nil) { book in
      let manager =
        if let named = try await call.namedAccount(book) {
          try await book.authorizationManager(for: app, account: named.account, options: options)
        } else {
          try await book.authorizationManager(for: app, user: name, options: options)
        }
      let authorization = try await answer(check, of: name, at: app.server.origin, manager, call)
      guard let account = authorization.account else { throw Self.nobody }
      return try await book.context(of: account)
    }
    call.output.loggedIn(context)
    return .done
  }

  /// Answers the check until it succeeds, or the person gives up.
  @MainActor private func answer(
    _ check: String, of user: String, at server: Origin, _ manager: AuthorizationManager,
    _ call: Call
  ) async throws(GatebookError) -> Authorization {
    var left: Int64?
    repeat {
      if let left {
        call.output.instruction(
          "The server rejected the user name or password. Attempts left: \(left).")
      }
      do throws(GatebookError) {
        let password = try LoginQuestions(call.answers).password(of: user, at: server)
        return try await manager.authenticate(
          ChallengeAnswer(
            username: user, password: password, rememberMe: call.arguments.has(Self.remember)),
          check: check)
      } catch {
        let open = await manager.openChallenges.first { $0.check == check }
        left = open?.remainingAttempts
        guard error.code == .credentialsRefused else {
          await manager.cancel(check)
          throw error
        }
        guard call.answers.areTyped, left != nil else {
          // The person gives up: the refusal is the result.
          let refusal = Self.refusal(error, left)
          await manager.giveUp(check, because: refusal)
          throw refusal
        }
      }
    } while true
  }

  /// The library's refusal describes a challenge that stays open; this program's ends with it.
  private static func refusal(_ error: GatebookError, _ left: Int64?) -> GatebookError {
    var refusal = error.keeping("No session was changed.")
    refusal.remedy = "Log in again with the right user name and password."
    refusal.cause = left.map { "attempts left: \($0)" }
    return refusal
  }

  private static let nobody = GatebookError(
    .loginUnprovable, "The security check does not name a user, so there is no account to create.",
    kept: "No account was made.", remedy: "Give a check that authenticates a user.")

  static func repeatable(_ settings: SavedSettings) -> Facts? {
    guard let app = settings.values["app"]?.object.flatMap({ MobileFirstApp(record: $0) }) else {
      return nil
    }
    var usual = MobileFirstApp(
      server: app.server, applicationID: app.applicationID, version: app.version,
      platform: app.platform)
    usual.loginTimeout = app.loginTimeout
    return usual == app ? settings.values : nil
  }
}
