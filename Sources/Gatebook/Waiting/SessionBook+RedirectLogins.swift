extension SessionBook {
  /// Begins a login on a page of the server, and returns without waiting for the user.
  ///
  /// The state of the login is saved encrypted in the book before this returns: the redirect may arrive after a
  /// restart or in another process.
  ///
  /// - Parameters:
  ///   - method: A method that opens a page, such as Liferay's `.oauth2Redirect`.
  ///   - options: How to keep the session; `redirectLimit` sets how long to wait for the redirect.
  /// - Returns: The page to show.
  /// - Throws: `configuration.invalid` for a method without a page; otherwise as ``logIn(_:options:browser:)``.
  public func beginLogIn(
    _ method: LoginMethod, options: LoginOptions = LoginOptions()
  ) async throws(GatebookError) -> PendingLogin {
    do throws(GatebookError) {
      return try await openPage(for: method, options)
    } catch {
      await tell([.failed(error)])
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
  public func pendingLogins() throws(GatebookError) -> [PendingLogin] {
    let now = clock.now().wall
    return try waitingLogins().filter { $0.deadline > now }.map(\.pending)
  }

  /// Finishes the login that a redirect belongs to.
  ///
  /// - Parameters:
  ///   - redirect: The whole URI to which the server sent the browser.
  ///   - account: The account that it must be for, if ``LoginOptions/account`` was not set when it began; `nil`
  ///     for any.
  /// - Returns: The account's context.
  /// - Throws: `state.mismatch` for a redirect that does not belong to a waiting login, or that was already
  ///   used: it is recorded (up to 16 after each login that began to wait; the end of the next one says how
  ///   many more came), and waiting logins keep waiting. `challenge.timedOut` after the deadline;
  ///   `challenge.cancelled` if the user declined; `configuration.invalid` for an unknown account, or for
  ///   another account than the login was begun for: it then keeps waiting; `identity.mismatch` for the login
  ///   of a different user: Gatebook ends it at the server and keeps nothing of it. Otherwise the method's own
  ///   failures.
  public func finishLogIn(
    redirect: String, account: AccountID? = nil
  ) async throws(GatebookError) -> SessionContext {
    if let account { try checkLiving(account) }
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
  ///
  /// - Parameters:
  ///   - login: The login that waits.
  ///   - code: The code that the user typed.
  /// - Returns: The account's context.
  /// - Throws: As ``finishLogIn(redirect:account:)``.
  public func finishLogIn(
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
  ///
  /// - Returns: Whether it was still waiting.
  /// - Throws: A storage failure.
  @discardableResult
  public func cancelLogIn(_ login: SessionID) async throws(GatebookError) -> Bool {
    if let waiting = try deviceWait(login) {
      let cancelled = AuthenticatorRun.cancelled
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
    if isEnded { await tell(AuthenticatorRun.cancelled, of: login) }
    return isEnded
  }

  /// Seals what a login needs to go on and records that the person's turn has come.
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
    try await commit(append)
    strays.allowMore()
    return login.pending
  }
}
