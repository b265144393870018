extension WaitingLogins {
  /// Shows the code and asks the server until the login has an end.
  func hold(
    _ login: WaitingLogin, _ conversation: Conversation, _ browser: (any Browser)?
  ) async throws(GatebookError) -> SessionContext {
    let ending: AuthenticatorRun.Ending
    var turn: AccountLock?
    defer { withExtendedLifetime(turn) {} }
    do throws(GatebookError) {
      if let code = login.code(at: ledger.clock.now().wall) { try await browser?.show(code) }
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
    _ login: WaitingLogin, _ conversation: Conversation
  ) async throws(GatebookError) -> AuthenticatorRun.Ending {
    let now = ledger.clock.now().wall
    guard now < login.deadline else { throw login.timedOut }
    let machine = try login.restored(kept: "No session was changed.", remedy: "Log in again.")
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
  private func keep(_ machine: any RedirectAuthenticator, of login: WaitingLogin) async {
    guard let interval = machine.interval else { return }
    var login = login
    login.machine = machine.record
    var received = ChallengeReceived(login.challenge)
    received.interval = interval
    // It fails where somebody has ended the login meanwhile. The wait continues all the same, and
    // first checks whether it is still wanted.
    _ = try? await ledger.commit(
      Append(
        [login.attempt.event(received)], vault: [.endAttempt(login.attempt.session), login.kept]))
  }

  /// Waits until nobody else asks about the code: it is good for one grant, and who has got that
  /// must not be taken for late by another.
  ///
  /// - Returns: `nil` when the login has come to its end meanwhile.
  private func takeTurn(to login: WaitingLogin) async throws(GatebookError) -> AccountLock? {
    let id = login.attempt.session
    return try await ledger.waitForLock { () throws(GatebookError) in
      try ledger.reader.takeLock(ofAttempt: id)
    } while: { () throws(GatebookError) in
      try isWaiting(id)
    } orThrow: {
      ledger.clock.now().wall < login.deadline ? nil : login.timedOut
    }
  }

  /// Ends the wait with a failure; where somebody else ended it first, what became of it there is
  /// what became of it.
  private func giveUp(
    _ login: WaitingLogin, _ error: GatebookError, _ ending: AuthenticatorRun.Ending?
  ) async throws(GatebookError) -> SessionContext {
    // In a task of its own: a caller that was cancelled must not leave its login waiting. The
    // failure that the caller hears counts more than one to record it.
    let isEnded = await startTask {
      let left = self.outbox.unclaimed(after: ending, of: login.attempt)
      let isEnded = try? await self.end(login, by: error, leaving: left)
      if isEnded != true, let left { await self.outbox.abandon(left) }
      return isEnded
    }.value
    guard isEnded == false else { throw error }
    return try await outcome(of: login.attempt.session, until: login.deadline)
  }

  /// Records the success and the end of the wait together.
  private func keep(
    _ outcome: Outcome, _ login: WaitingLogin, _ ending: AuthenticatorRun.Ending
  ) async throws(GatebookError) -> SessionContext {
    var ending = ending
    ending.challenges.insert(Self.answered, at: 0)
    do throws(GatebookError) {
      let success = LoginSuccess(
        outcome, of: login.attempt, ending, login.options, at: ledger.clock.now(),
        besides: LoginAdditions(kept: login.attempt.session))
      return await logins.told(try await logins.keepGranted(success, ending))
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

  /// The challenge in the success of its login, which tells that it was answered.
  private static let answered = AuthenticatorRun.Challenge(
    round: 1, scheme: "device", realm: nil, isAnswered: true, isRecorded: true)

  static let unknownCode = GatebookError(
    .stateMismatch, "No login with this id is waiting for a code.",
    kept: "No session was changed.", remedy: "Log in again.")
}
