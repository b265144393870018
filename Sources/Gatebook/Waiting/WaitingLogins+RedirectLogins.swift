extension WaitingLogins {
  /// Begins a login on a page of the server, and returns without waiting for the user.
  func beginLogIn(
    _ method: LoginMethod, options: LoginOptions = LoginOptions()
  ) async throws(GatebookError) -> PendingLogin {
    do throws(GatebookError) {
      return try await openPage(for: method, options)
    } catch {
      await logins.tell([.failed(error)])
      throw error
    }
  }

  /// Begins a login, and leaves it to the caller to tell the delegate of its failure.
  func openPage(
    for method: LoginMethod, _ options: LoginOptions
  ) async throws(GatebookError) -> PendingLogin {
    guard method.opensPage else {
      throw GatebookError(
        .configurationInvalid, "This login method does not open a page.", kept: "Nothing was sent.",
        remedy: "Use `SessionBook.logIn`.")
    }
    guard case .waiting(let pending) = try await start(method, options) else {
      throw Self.unknownRedirect
    }
    return pending
  }

  /// The logins that wait for a redirect, oldest deadline first.
  func pendingLogins() throws(GatebookError) -> [PendingLogin] {
    let now = ledger.clock.now().wall
    return try waitingLogins().filter { $0.deadline > now }.map(\.pending)
  }

  /// Finishes the login that a redirect belongs to.
  func finishLogIn(
    redirect: String, account: AccountID? = nil
  ) async throws(GatebookError) -> SessionContext {
    if let account { try ledger.checkLiving(account) }
    // A redirect of nobody ends no login: there is nothing to tell the delegate.
    let waiting = try await waitingLogin(for: redirect)
    var login = waiting.login
    if let account {
      guard login.options.account ?? account == account else { throw Self.begunForAnother }
      login.options.account = account
      login.attempt.required = account
    }
    return try await finishAndTell(login, with: waiting.fields)
  }

  static let begunForAnother = GatebookError(
    .configurationInvalid, "The login was begun for another account.",
    kept: "The login keeps waiting.",
    remedy: "Finish it for that account, or begin one for this account.")

  /// Finishes a login with the code that the server showed to the user (`oob`).
  func finishLogIn(
    _ login: SessionID, code: Secret
  ) async throws(GatebookError) -> SessionContext {
    guard let waiting = try waitingLogins().first(where: { $0.attempt.session == login }) else {
      throw Self.unknownRedirect
    }
    let text = code.withBytes { String(decoding: $0, as: UTF8.self) }
    let fields = FormFields([
      .init(waiting.redirect.key, waiting.redirect.value),
      .init(waiting.redirect.codeName, text),
    ])
    return try await finishAndTell(waiting, with: fields)
  }

  /// Cancels a waiting login; its secrets are destroyed.
  @discardableResult
  func cancelLogIn(_ login: SessionID) async throws(GatebookError) -> Bool {
    if let waiting = try deviceWait(login) {
      let cancelled = GatebookError.cancelledByCaller
      let isEnded = try await end(waiting.attempt, waiting.closing(cancelled))
      if isEnded { await tell(cancelled, of: login) }
      return isEnded
    }
    guard let waiting = try waitingLogins().first(where: { $0.attempt.session == login }) else {
      return false
    }
    let isEnded = try await end(
      waiting,
      [
        waiting.attempt.event(ChallengeCancelled(WaitingLogin.challenge)),
        waiting.attempt.event(LoginCancelled()),
      ])
    if isEnded { await tell(GatebookError.cancelledByCaller, of: login) }
    return isEnded
  }

  /// Encrypts what a login needs to continue, and records that it waits for the person.
  func wait(
    _ login: WaitingLogin, _ challenges: [AuthenticatorRun.Challenge]
  ) async throws(GatebookError) -> PendingLogin {
    let events = login.attempt.events(for: challenges, account: login.attempt.account)
    var append = Append(
      events + [login.attempt.event(ChallengeReceived(WaitingLogin.challenge))])
    append.vault = [
      .keepAttempt(
        login.attempt.session, deadline: login.deadline, content: login.record.encoded)
    ]
    try await ledger.commit(append)
    strays.allowMore()
    return login.pending
  }
}
