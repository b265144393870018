public import Gatebook
internal import GatebookSystem

extension LoginForm {
  /// The form of a MobileFirst security check that wants a user name and a password.
  ///
  /// After a wrong answer it shows the server's words and how many attempts are left.
  ///
  /// Source: MobileFirst 8.0, sample "Preemptive Login" and "Remember Me".
  ///
  /// - Parameters:
  ///   - app: The app as it is registered at the server.
  ///   - check: The check's exact name.
  ///   - user: What is filled in at first.
  ///   - offersRememberMe: Whether the form has the switch that asks the server to remember the
  ///     login.
  ///   - rememberMe: Whether that switch is on at first.
  /// - Returns: The form.
  public static func mobileFirst(
    _ app: MobileFirstApp, check: String, user: String = "", offersRememberMe: Bool = true,
    rememberMe: Bool = false
  ) -> LoginForm {
    let talk = CheckTalk(app, check)
    var fields = [LoginField.user(user), .password]
    if offersRememberMe {
      fields.append(
        .toggle("rememberMe", .rememberMe, isOn: rememberMe, hint: .rememberMeHint))
    }
    var form = LoginForm(
      server: "\(app.server.origin)", fields: fields, offersSaving: false
    ) { answers, book, options throws(GatebookError) in
      try await talk.answer(
        ChallengeAnswer(
          username: answers.user, password: answers.secret(),
          rememberMe: offersRememberMe ? answers.isOn("rememberMe") : nil),
        of: answers.user, in: book, options)
    }
    form.refusal = { await talk.refusal }
    form.giveUp = { await talk.giveUp(because: $0) }
    form.asksForOtherPasswords = true
    return form
  }
}

/// The answers to one security check, until one is right.
private actor CheckTalk {
  private let app: MobileFirstApp
  private let check: String
  private var manager: AuthorizationManager?
  /// Who has answered last: an open challenge belongs to that name's account.
  private var name = ""

  init(_ app: MobileFirstApp, _ check: String) {
    self.app = app
    self.check = check
  }

  /// Gives an answer; the first one begins the talk.
  func answer(
    _ answer: ChallengeAnswer, of user: String, in book: SessionBook, _ options: LoginOptions
  ) async throws(GatebookError) -> SessionContext {
    let manager = try await manager(of: user, in: book, options)
    let authorization = try await manager.authenticate(answer, check: check)
    guard let account = authorization.account else {
      throw GatebookError(
        .loginUnprovable,
        "The security check does not name a user, so there is no account to create.",
        kept: "No account was made.", remedy: "Give a check that authenticates a user.")
    }
    return try await book.context(of: account)
  }

  /// The manager of the account that the name belongs to; an open challenge keeps its own.
  private func manager(
    of user: String, in book: SessionBook, _ options: LoginOptions
  ) async throws(GatebookError) -> AuthorizationManager {
    if let manager, await manager.isChallenged(check) {
      if user == name { return manager }
      await manager.cancel(check)
    }
    name = user
    let made =
      if let account = options.account {
        try await book.authorizationManager(for: app, account: account, options: options)
      } else {
        try await book.authorizationManager(for: app, user: user, options: options)
      }
    manager = made
    return made
  }

  /// What the server said of the last answer.
  var refusal: LoginForm.Refusal {
    get async {
      let open = await manager?.openChallenges.first { $0.check == check }
      return LoginForm.Refusal(
        words: open?.errorMessage ?? "", attemptsLeft: open?.remainingAttempts)
    }
  }

  /// Ends an open challenge.
  func giveUp(because reason: GatebookError) async {
    guard let manager else { return }
    if [.cancelled, .challengeCancelled].contains(reason.code) {
      await manager.cancel(check)
    } else {
      await manager.giveUp(check, because: reason)
    }
  }
}
