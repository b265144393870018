extension Renewals {
  /// Asks the server whether a session still lives; one that it refuses is renewed if possible, or
  /// logged in again.
  ///
  /// - Returns: `true` when the server confirmed or renewed it, or gave another in its place;
  ///   `false` when it refused, and then the session has ended.
  /// - Throws: What kept the server from answering; the session is kept.
  func verify(_ session: OpenSession) async throws(GatebookError) -> Bool {
    let machine = session.stored.proof.verification(jar: session.jar)
    var conversation = challenges.conversation(of: session)
    // A session of HTTP authentication proves itself: its machine must see the server's own
    // answers.
    conversation.isAnsweredByMethod = session.stored.proof is HTTPProof
    let ending = await challenges.run(machine, in: conversation)
    try await challenges.keep(ending.conversation, session)
    switch ending.outcome {
    case .success(let outcome):
      try await confirm(session, outcome)
      return true
    case .failure(let error) where Self.isUndecided(error, session):
      return try await renewUndecided(session, error)
    case .failure(let error)
    where error.code == .sessionRefused || error.code == .credentialsRefused:
      return try await replaceOrEnd(session, error)
    case .failure(let error) where error.isOfAnotherUser:
      throw try await mismatch(session, error)
    case .failure(let error):
      await recordUnverified(session, error)
      throw error
    }
  }

  /// As ``verify(_:)``, for who needs the session.
  ///
  /// - Throws: `session.refused`, too, when the session has ended.
  func requireVerified(_ session: OpenSession) async throws(GatebookError) {
    guard try await !verify(session) else { return }
    throw Ledger.needsLogin(try ledger.context(of: session.context.account))
  }

  /// Whether a token was called not good by an introspection, which may also mean that the
  /// application may not ask.
  private static func isUndecided(_ error: GatebookError, _ session: OpenSession) -> Bool {
    error.code == .sessionRefused && error.status == 200 && session.stored.proof.tokenBearing != nil
  }

  /// Renews a session whose server may not say whether its token is good.
  ///
  /// RFC 7662 section 2.2: "active" is false, too, where the application may not ask. Without a
  /// renewal only a use of the token decides.
  private func renewUndecided(
    _ session: OpenSession, _ error: GatebookError
  ) async throws(GatebookError) -> Bool {
    var undecided = GatebookError(
      .loginUnprovable, error.message, kept: error.kept, remedy: error.remedy,
      status: error.status)
    if session.isRenewed {
      do throws(GatebookError) {
        try await renew(session, .undecided)
        return true
      } catch {
        guard error.code == .tokenRefused,
          try ledger.recordedContext(of: session.context.account).state.isUsable
        else { throw error }
        undecided.message += " \(error.message)"
        undecided.kept = error.kept
      }
    }
    await recordUnverified(session, undecided)
    throw undecided
  }

  /// Records that the server was asked and no word came that decides: nothing changes by it, but
  /// why the session stays unconfirmed is asked later.
  ///
  /// An unreachable server is no news, because the state already says that the session is
  /// unconfirmed. It is recorded only if the last check found something else.
  private func recordUnverified(_ session: OpenSession, _ error: GatebookError) async {
    let isReached =
      error.code != .networkUnreachable || error.fault.map { Fault($0).isOfAnswer } == true
    // Nobody was asked where there is no page, or where the caller did not wait.
    guard isReached || isUnverified(session), error.code != .cancelled,
      !Ledger.isStorageOrKeyFailure(error.code),
      error.code != .loginUnprovable || error.status != nil
    else { return }
    var unverified = SessionUnverified()
    unverified.failure = Failure(error)
    unverified.demandedWait = error.retryAfter
    guard !isLast(unverified, of: session) else { return }
    let event = session.event(unverified)
    // What kept the server from answering is what the caller must hear.
    _ = try? await ledger.commit(Append([event], precondition: session.precondition))
  }

  /// Whether the last thing that happened to an account is the same once more: an app may ask each
  /// minute.
  private func isLast(_ unverified: SessionUnverified, of session: OpenSession) -> Bool {
    guard let last = lastEvent(of: session.context.account), last.session == session.session,
      let told = last.facts(of: SessionUnverified.self), told.failure == unverified.failure
    else { return false }
    guard let wait = unverified.demandedWait else { return told.demandedWait == nil }
    // The same demand of a server is news once the last one is over.
    let now = ledger.clock.now().wall
    return told.demandedWait.map { wait <= $0 && now >= last.at && now < last.at + $0 } == true
  }

  /// Whether the last that is known of a session is that its server did not decide.
  func isUnverified(_ session: OpenSession) -> Bool {
    guard let last = lastEvent(of: session.context.account) else { return false }
    return last.isKind(.sessionUnverified) && last.session == session.session
  }

  private func lastEvent(of account: AccountID) -> RecordedEvent? {
    (try? ledger.reader.state(of: account)?.position).flatMap { try? ledger.reader.event(at: $0) }
  }

  /// Checks what a renewal brought and could not check alone, such as an ID token that is signed by
  /// a new key: it is on disk by then, and was not used yet.
  ///
  /// A server that is not reached now changes nothing; another user's answer ends the session.
  func checkRenewed(_ account: AccountID) async throws(GatebookError) {
    guard let session = try ledger.openSession(of: account), session.isUnchecked else {
      return
    }
    renewalChecks[account] = ledger.clock.now().boot
    let machine = session.stored.proof.verification(jar: session.jar)
    let ending = await challenges.run(machine, in: challenges.conversation(of: session))
    try await challenges.keep(ending.conversation, session)
    switch ending.outcome {
    case .success(let outcome): try await confirm(session, outcome)
    case .failure(let error) where error.isOfAnotherUser:
      throw try await mismatch(session, error)
    case .failure: break
    }
  }

  /// Checks, before a session is used, what its renewal brought and could not check then: the
  /// server's keys may be had by now.
  ///
  /// Tried once in half a minute, for no longer than somebody may be made to wait: what cannot be
  /// checked yet keeps nobody from using the session.
  ///
  /// - Throws: `identity.mismatch` for another user's answer, which ends the session.
  func checkingRenewed(_ session: OpenSession) async throws(GatebookError) -> OpenSession {
    let account = session.context.account
    guard session.isUnchecked else { return session }
    let now = ledger.clock.now().boot
    if let last = renewalChecks[account], now >= last, now - last < .seconds(30) { return session }
    let check = startTask {
      await Result { () async throws(GatebookError) in try await self.checkRenewed(account) }
    }
    if case .failure(let error) = await check.value(cancelledAfter: DeliveryEnding.patience),
      error.isOfAnotherUser
    {
      throw error
    }
    return try await requireSession(of: account)
  }

  /// What is kept where another user's answer has ended the session.
  static let keptByMismatch =
    "The session has ended. The account and its attributes are unchanged, and the answer was not used."

  /// What is kept where somebody else had ended or replaced the session before.
  static let keptBesideMismatch =
    "The account and its attributes are unchanged; the answer was not used."

  func confirm(
    _ session: OpenSession, _ outcome: Outcome
  ) async throws(GatebookError) {
    let account = session.context.account
    guard try ledger.reader.owner(of: account).is(outcome.person, in: ledger.reader) else {
      throw try await mismatch(session)
    }
    let wasQuestioned = questioned.remove(session.session) != nil
    try await ledger.update(session) { current in
      // Other requests took cookies while the server was asked.
      var outcome = outcome
      outcome.jar = outcome.jar.rebased(from: session.jar, onto: current.jar)
      return confirmation(&current, outcome, isAnswer: wasQuestioned)
    }
  }

  private func confirmation(
    _ session: inout OpenSession, _ outcome: Outcome, isAnswer: Bool
  ) -> Append? {
    var events: [ProposedEvent] = []
    // With a limit each confirmation counts, also for a session that does not need one. It also
    // settles an earlier check without a result and an uncertain state.
    if session.context.state != .active || session.state.offline != nil || isUnverified(session)
      || isAnswer || session.state.isQuestioned || session.state.distrust != nil
    {
      var verified = SessionVerified()
      (verified.boot, verified.bootID) = ledger.countedClock(of: session)
      verified.idToken = outcome.refusedIDToken
      events.append(session.event(verified))
    }
    events += changes(
      session, outcome,
      cause: events.isEmpty ? .recorded(session.context.position) : .proposed(0))
    events += session.clockEvents(at: ledger.clock.now(), offset: outcome.offset)
    // A fresh token of the same session is a secret without an event of its own: it comes with the
    // word that the session was verified.
    if events.isEmpty, outcome.proof.record != session.stored.proof.record {
      var verified = SessionVerified()
      verified.idToken = outcome.refusedIDToken
      events = [session.event(verified)]
    }
    session.stored.proof = outcome.proof
    session.jar = outcome.jar
    return events.isEmpty ? nil : Append(events)
  }

  /// Ends a session that the server takes for another user's: each further request would act in
  /// that user's name (rule 8).
  func mismatch(
    _ session: OpenSession, _ answered: GatebookError? = nil
  ) async throws(GatebookError) -> GatebookError {
    let error =
      answered
      ?? GatebookError(
        .identityMismatch, "The server answered for another user than the account's.",
        remedy: "Log in again, and ask the server's administrator.")
    let isEnded = try await outbox.end(
      session.context, reason: .identityMismatch, cause: nil, error: error,
      leaving: outbox.unclaimed(session.stored.proof, of: session))
    return error.keeping(isEnded ? Self.keptByMismatch : Self.keptBesideMismatch)
  }
}
