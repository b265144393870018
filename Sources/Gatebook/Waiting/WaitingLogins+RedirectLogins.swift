extension WaitingLogins {
  /// Begins a login on a page of the server, and returns without waiting for the user.
  func beginLogIn(
    _ method: LoginMethod, options: LoginOptions = LoginOptions()
  ) async throws(GatebookError) -> PendingLogin {
    try await logins.tellingFailure { () throws(GatebookError) in
      guard method.opensPage else { throw Self.opensNothing }
      guard case .waiting(let login, _) = try await start(method, options) else {
        throw Self.unknownRedirect
      }
      return login.pending(at: ledger.clock.now().wall)
    }
  }

  private static let opensNothing = GatebookError(
    .configurationInvalid, "This login method does not open a page.", kept: "Nothing was sent.",
    remedy: "Use `SessionBook.logIn`.")

  /// Finishes the login that a redirect belongs to.
  func finishLogIn(
    redirect: String, account: AccountID? = nil
  ) async throws(GatebookError) -> SessionContext {
    if let account { try ledger.checkLiving(account) }
    // A redirect of nobody ends no login: there is nothing to tell the delegate.
    let waiting = try await waitingLogin(for: redirect)
    return try await finishAndTell(try waiting.login.of(account), with: waiting.fields)
  }

  /// Finishes a login with the code that the server showed to the user (`oob`).
  func finishLogIn(
    _ login: SessionID, code: Secret
  ) async throws(GatebookError) -> SessionContext {
    guard let waiting = try waitingLogin(login), let redirect = waiting.redirect else {
      throw Self.unknownRedirect
    }
    let text = code.withBytes { String(decoding: $0, as: UTF8.self) }
    let fields = FormFields([
      .init(redirect.key, redirect.value),
      .init(redirect.codeName, text),
    ])
    return try await finishAndTell(waiting, with: fields)
  }

  /// Cancels a waiting login; its secrets are destroyed.
  @discardableResult
  func cancelLogIn(_ login: SessionID) async throws(GatebookError) -> Bool {
    guard let waiting = try waitingLogin(login) else { return false }
    let isEnded = try await end(waiting, by: GatebookError.cancelledByCaller)
    if isEnded { await tell(GatebookError.cancelledByCaller, of: login) }
    return isEnded
  }

  /// Encrypts what a login needs to continue, and records that it waits for the person.
  func wait(
    _ login: WaitingLogin, _ challenges: [AuthenticatorRun.Challenge]
  ) async throws(GatebookError) {
    let events = login.attempt.events(for: challenges, account: login.attempt.account)
    let received = login.attempt.event(ChallengeReceived(login.challenge))
    try await ledger.commit(Append(events + [received], vault: [login.kept]))
    if login.redirect != nil { strays.allowMore() }
  }
}
