/// Logins as a person sees them: at once, on a page of the server, or with a code on another
/// device.
///
/// A login that waits for its page or its code is kept encrypted in the book: another process can
/// finish it.
final class WaitingLogins {
  let ledger: Ledger
  let challenges: Challenges
  let outbox: Outbox
  let logins: Logins
  /// Logins whose page a `logIn` of this process shows.
  var visiting: Set<SessionID> = []
  /// Redirects that belong to no login.
  var strays = StrayRedirects()

  init(_ ledger: Ledger, _ challenges: Challenges, _ outbox: Outbox, _ logins: Logins) {
    self.ledger = ledger
    self.challenges = challenges
    self.outbox = outbox
    self.logins = logins
  }

  /// Logs a user in; the same user at the same server is the same account again.
  func logIn(
    _ method: LoginMethod, _ options: LoginOptions, _ browser: (any Browser)?
  ) async throws(GatebookError) -> SessionContext {
    guard browser != nil || !method.opensPage else { throw Self.needsBrowser }
    switch try await start(method, options, showsCodes: browser != nil) {
    case .finished(let loggedIn): return await logins.told(loggedIn)
    case .waiting(let login, let conversation):
      guard let browser else { throw Self.needsBrowser }
      guard login.redirect != nil else { return try await hold(login, conversation, browser) }
      return try await visit(login, browser)
    }
  }

  /// The state of a login after its first part.
  enum Progress: Sendable {
    case finished(LoggedIn)
    case waiting(WaitingLogin, Conversation)
  }

  /// Logs in as far as it goes without the person.
  func start(
    _ method: LoginMethod, _ options: LoginOptions, showsCodes: Bool = false
  ) async throws(GatebookError) -> Progress {
    try await endLateLogins()
    try Logins.checkCleartext(method, options)
    try logins.checkNames(method, options)
    // Who types the name at the server may do so in several windows.
    let isNamed = !method.person.loginName.isEmpty
    if isNamed, !logins.loggingIn.insert(method.person).inserted { throw Logins.underWay }
    defer { if isNamed { logins.loggingIn.remove(method.person) } }
    var attempt = try await logins.begin(method, of: options.account)
    attempt.isByPassword = method.password != nil
    attempt.settings = SavedSettings.record(method.name, method.settings, options)
    // Before anything is sent: what the server grants is not to wait for it.
    attempt.verifier = try await logins.offlineVerifier(for: method, of: attempt.account, options)
    let ending = await challenges.run(
      method.authenticator(), in: try await logins.begunConversation(of: attempt, options))
    return try await settle(ending, attempt, options, showsCodes: showsCodes)
  }

  /// Records where a run stopped.
  func settle(
    _ ending: AuthenticatorRun.Ending, _ attempt: LoginAttempt, _ options: LoginOptions,
    showsCodes: Bool = false
  ) async throws(GatebookError) -> Progress {
    switch ending.result.flatMap({ Self.readable($0, showsCodes) }) {
    case .success(.finished(let outcome)):
      let success = LoginSuccess(
        outcome, of: attempt, ending, options, at: ledger.clock.now())
      return .finished(try await logins.keepGranted(success, ending))
    case .success(.shown(let code, let machine)):
      return try await wait(
        for: .code(code), machine, code.lifetime, ending, attempt, options)
    case .success(.opened(let page, let redirect, let machine)):
      return try await wait(
        for: .redirect(redirect, page: page), machine, options.redirectLimit, ending, attempt,
        options)
    case .failure(let error):
      // In a task of its own: a caller that was cancelled must not keep this from the log.
      _ = await startTask {
        await self.logins.record(
          error, attempt, ending.challenges,
          leaving: self.outbox.unclaimed(after: ending, of: attempt))
      }.value
      throw logins.failure(error)
    }
  }

  /// Encrypts what a login needs to continue, and records that it waits for the person.
  private func wait(
    for awaited: WaitingLogin.Awaited, _ machine: any RedirectAuthenticator, _ limit: Duration,
    _ ending: AuthenticatorRun.Ending, _ attempt: LoginAttempt, _ options: LoginOptions
  ) async throws(GatebookError) -> Progress {
    let login = WaitingLogin(
      attempt: attempt, method: type(of: machine).method, awaited: awaited,
      deadline: ledger.clock.now().wall + limit, options: options, machine: machine.record)
    let events = attempt.events(for: ending.challenges, account: attempt.account)
    let received = attempt.event(ChallengeReceived(login.challenge))
    try await ledger.commit(Append(events + [received], vault: [login.kept]))
    if login.redirect != nil { strays.allowMore() }
    return .waiting(login, ending.conversation)
  }

  /// Only a session that can be read back may begin: what no restart finds is no session.
  private static func readable(
    _ stop: AuthenticatorRun.Stop, _ showsCodes: Bool
  ) -> Result<AuthenticatorRun.Stop, GatebookError> {
    if case .shown = stop, !showsCodes { return .failure(unseen) }
    let method: String
    let isReadable: Bool
    switch stop {
    case .finished(let outcome):
      method = type(of: outcome.proof).method
      isReadable = SessionProofs.decode(method: method, record: outcome.proof.record) != nil
    case .opened(_, _, let machine), .shown(_, let machine):
      method = type(of: machine).method
      isReadable = RedirectAuthenticators.decode(method: method, record: machine.record) != nil
    }
    return isReadable ? .success(stop) : .failure(unreadable(method: method))
  }

  private static func unreadable(method: String) -> GatebookError {
    GatebookError(
      .configurationInvalid,
      "A session of the method `\(method)` could not be read after a restart.",
      kept: "No account was made.",
      remedy:
        "Use a login method of Gatebook.")
  }

  private static let unseen = GatebookError(
    .challengeUnhandled, "The login has a code for the user, but no browser can show it.",
    kept: "No session was changed.", remedy: "Pass a `Browser` that implements `show(_:)`.")

  private static let needsBrowser = GatebookError(
    .configurationInvalid, "This login method opens a page of the server and needs a browser.",
    kept: "Nothing was sent.",
    remedy:
      "Pass a `Browser`, or use `SessionBook.beginLogIn` and `SessionBook.finishLogIn`.")
}
