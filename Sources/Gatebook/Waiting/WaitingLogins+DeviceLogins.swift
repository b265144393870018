extension WaitingLogins {
  /// The logins whose codes may still be entered on another device, oldest deadline first.
  func deviceLogins() throws(GatebookError) -> [DeviceLogin] {
    let now = ledger.clock.now().wall
    return try deviceWaits().filter { $0.deadline > now }.map { $0.login(at: now) }
  }

  /// Continues a login with a code for another device, after a restart or in parallel to another
  /// process.
  func resumeLogIn(
    _ login: SessionID, account: AccountID? = nil, browser: (any Browser)? = nil
  ) async throws(GatebookError) -> SessionContext {
    if let account { try ledger.checkLiving(account) }
    guard var waiting = try deviceWait(login) else { throw Self.unknownCode }
    if let account {
      guard waiting.options.account ?? account == account else { throw Self.begunForAnother }
      waiting.options.account = account
      waiting.attempt.required = account
    }
    do throws(GatebookError) {
      return try await resume(waiting, browser)
    } catch {
      await logins.tell([.failed(error)])
      throw error
    }
  }

  private func resume(
    _ login: DeviceWait, _ browser: (any Browser)?
  ) async throws(GatebookError) -> SessionContext {
    var login = login
    if let account = login.attempt.account ?? login.options.account {
      login.options = try logins.droppingRevokedPermissions(
        login.options, since: login.attempt.permitted, account)
    }
    return try await hold(
      login, try await logins.begunConversation(of: login.attempt, login.options), browser)
  }

  // MARK: The wait

  /// Encrypts what a login needs to continue, and records that it waits for the person.
  func wait(
    _ login: DeviceWait, _ challenges: [AuthenticatorRun.Challenge]
  ) async throws(GatebookError) {
    let events = login.attempt.events(for: challenges, account: login.attempt.account)
    var append = Append(
      events + [login.attempt.event(ChallengeReceived(DeviceWait.challenge))])
    append.vault = [
      .keepAttempt(login.attempt.session, deadline: login.deadline, content: login.record.encoded)
    ]
    try await ledger.commit(append)
  }

  /// Shows the code and asks the server until the login has an end.
  func hold(
    _ login: DeviceWait, _ conversation: Conversation, _ browser: (any Browser)?
  ) async throws(GatebookError) -> SessionContext {
    let ending: AuthenticatorRun.Ending
    var turn: AccountLock?
    defer { withExtendedLifetime(turn) {} }
    do throws(GatebookError) {
      try await browser?.show(login.login(at: ledger.clock.now().wall).code)
      turn = try await takeTurn(to: login)
      guard turn != nil else {
        return try await outcome(of: login.attempt.session, until: login.deadline)
      }
      ending = try await ask(login, conversation)
    } catch {
      return try await giveUp(login, error, nil)
    }
    switch ending.result {
    case .success(.finished(let outcome)): return try await keep(outcome, login, ending)
    case .success(.opened), .success(.shown):
      return try await giveUp(login, AuthenticatorRun.forgetful, ending)
    case .failure(let error): return try await giveUp(login, logins.failure(error), ending)
    }
  }

  private func ask(
    _ login: DeviceWait, _ conversation: Conversation
  ) async throws(GatebookError) -> AuthenticatorRun.Ending {
    let now = ledger.clock.now().wall
    guard now < login.deadline else { throw DeviceWait.timedOut }
    guard let machine = RedirectAuthenticators.decode(method: login.method, record: login.machine)
    else {
      throw GatebookError(
        .storageDamaged, "This version of Gatebook cannot read the waiting login.",
        kept: "No session was changed.", remedy: "Log in again.")
    }
    let id = login.attempt.session
    return await challenges.run(
      machine, from: .proceed, in: conversation,
      isWanted: {
        // A book that cannot be read now says nothing about the login.
        (try? self.isWaiting(id)) ?? true
      },
      keep: { await self.keep($0, of: login) })
  }

  /// Keeps that the server wants to be asked less often: else a restart would ask too often again.
  private func keep(_ machine: any RedirectAuthenticator, of login: DeviceWait) async {
    guard let interval = machine.interval else { return }
    var login = login
    login.machine = machine.record
    var append = Append([login.slowed(to: interval)])
    append.vault = [
      // It fails where somebody has ended the login meanwhile.
      .endAttempt(login.attempt.session),
      .keepAttempt(login.attempt.session, deadline: login.deadline, content: login.record.encoded),
    ]
    // The wait continues all the same, and first checks whether it is still wanted.
    _ = try? await ledger.commit(append)
  }

  /// Waits until nobody else asks about the code: it is good for one grant, and who has got that
  /// must not be taken for late by another.
  ///
  /// - Returns: `nil` when the login has come to its end meanwhile.
  private func takeTurn(to login: DeviceWait) async throws(GatebookError) -> AccountLock? {
    let id = login.attempt.session
    return try await ledger.waitForLock { () throws(GatebookError) in
      try ledger.reader.takeLock(ofAttempt: id)
    } while: { () throws(GatebookError) in
      try isWaiting(id)
    } orThrow: {
      ledger.clock.now().wall < login.deadline ? nil : DeviceWait.timedOut
    }
  }

  /// Ends the wait with a failure; where somebody else ended it first, what became of it there is
  /// what became of it.
  private func giveUp(
    _ login: DeviceWait, _ error: GatebookError, _ ending: AuthenticatorRun.Ending?
  ) async throws(GatebookError) -> SessionContext {
    // In a task of its own: a caller that was cancelled must not leave its login waiting. The
    // failure that the caller hears counts more than one to record it.
    let isEnded = await startTask {
      let left = self.outbox.unclaimed(after: ending, of: login.attempt)
      let isEnded = try? await self.end(login.attempt, login.closing(error), leaving: left)
      if isEnded != true, let left { await self.outbox.abandon(left) }
      return isEnded
    }.value
    guard isEnded == false else { throw error }
    return try await outcome(of: login.attempt.session, until: login.deadline)
  }

  /// Records the success and the end of the wait together.
  private func keep(
    _ outcome: Outcome, _ login: DeviceWait, _ ending: AuthenticatorRun.Ending
  ) async throws(GatebookError) -> SessionContext {
    var ending = ending
    ending.challenges.insert(DeviceWait.answered, at: 0)
    do throws(GatebookError) {
      let loggedIn = try await logins.keepGranted(
        outcome, login.attempt, ending, login.options,
        besides: LoginAdditions(kept: login.attempt.session))
      return await logins.told(loggedIn)
    } catch  where error.code == .preconditionFailed {
      // It was ended while the server answered: nobody wants what the server has granted here.
      await startTask {
        if let left = self.outbox.unclaimed(outcome, ending.conversation, of: login.attempt) {
          await self.outbox.abandon(left)
        }
      }.value
      return try await self.outcome(of: login.attempt.session, until: login.deadline)
    }
  }

  // MARK: Reading

  /// The logins that wait with a code, those included whose deadline has passed.
  func deviceWaits() throws(GatebookError) -> [DeviceWait] {
    try ledger.reader.attempts().compactMap(DeviceWait.init)
  }

  func deviceWait(_ login: SessionID) throws(GatebookError) -> DeviceWait? {
    try deviceWaits().first { $0.attempt.session == login }
  }

  private static let unknownCode = GatebookError(
    .stateMismatch, "No login with this id is waiting for a code.",
    kept: "No session was changed.", remedy: "Log in again.")
}
