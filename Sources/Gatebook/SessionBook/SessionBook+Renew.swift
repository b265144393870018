extension SessionBook {
  /// Renews a session by what its proof keeps, a password or a refresh token: once at a time for
  /// each account, over all tasks and processes.
  ///
  /// Who waited gets what the other one achieved.
  ///
  /// A caller that is cancelled does not cancel the renewal the others wait for.
  func renew(
    _ session: OpenSession, _ trigger: RenewalTrigger
  ) async throws(GatebookError) {
    let account = session.context.account
    let task = renewals[account] ?? startRenewal(session, trigger)
    try await task.value.get()
  }

  private func startRenewal(
    _ session: OpenSession, _ trigger: RenewalTrigger
  ) -> Task<Result<Void, GatebookError>, Never> {
    let account = session.context.account
    let task = Task {
      defer { renewals[account] = nil }
      do throws(GatebookError) {
        try await renewAlone(session, trigger)
        return Result<Void, GatebookError>.success(())
      } catch {
        return .failure(error)
      }
    }
    renewals[account] = task
    return task
  }

  private func renewAlone(
    _ seen: OpenSession, _ trigger: RenewalTrigger
  ) async throws(GatebookError) {
    let account = seen.context.account
    let lock = try await takeLock(of: account)
    defer { withExtendedLifetime(lock) {} }
    // Another process may have renewed while we waited for the lock: then its session is ours.
    let session = try await requireSession(of: account)
    guard session.state.generation == seen.state.generation, session.session == seen.session
    else { return }
    guard let machine = session.stored.proof.renewal(jar: session.jar) else { return }
    guard let started = try await begin(session, trigger) else { return }
    let ending = await run(machine, in: conversation(of: session))
    // Whatever becomes of this, the renewal's own answer must not be lost.
    try? await keep(ending.conversation, session)
    switch ending.outcome {
    case .success(let outcome):
      try await finish(session, outcome, started, ending.conversation)
    case .failure(let error): try await fail(session, error, started)
    }
  }

  private func takeLock(of account: AccountID) async throws(GatebookError) -> AccountLock {
    let deadline = clock.now().boot + wait
    while true {
      if let lock = try reader.takeLock(of: account) { return lock }
      guard clock.now().boot < deadline, !Task.isCancelled else {
        throw GatebookError(
          .storageBusy, "Another process renews this session for longer than we may wait.",
          kept: "The session is kept.", remedy: "Try again.")
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Records the intent; `nil` when the session was ended or made anew since it was read.
  private func begin(
    _ session: OpenSession, _ trigger: RenewalTrigger
  ) async throws(GatebookError) -> Position? {
    let deadline = clock.now().wall + HTTPLimits.login.total
    let event = session.event(
      .refreshStarted,
      data: [
        "attempt": .integer((session.state.intent?.attempt ?? 0) + 1),
        "deadline": .integer(deadline.rawValue),
        "generation": .integer(session.state.generation + 1),
        "trigger": .text(trigger.rawValue),
      ])
    do throws(GatebookError) {
      return try await commit(Append([event], precondition: session.precondition)).first
    } catch  where error.code == .preconditionFailed {
      return nil
    }
  }

  private func finish(
    _ session: OpenSession, _ outcome: Outcome, _ started: Position, _ conversation: Conversation
  ) async throws(GatebookError) {
    let account = session.context.account
    let cause = ProposedEvent.Cause.recorded(started)
    guard try reader.account(named: outcome.person.userParts) == account else {
      try await end(session.context, reason: .identityMismatch, cause: started)
      throw GatebookError(
        .identityMismatch, "The server renewed the session for another user.",
        kept: "The account and its attributes are as before; the answer was not used.",
        remedy: "Log in again, and ask who runs the server.")
    }
    let generation = session.state.generation + 1
    var events = [
      session.event(
        .refreshSucceeded, cause: cause,
        data: [
          "boot": .integer(clock.now().boot.microseconds), "generation": .integer(generation),
          "lifetime": .optional(outcome.lifetime?.microseconds),
        ])
    ]
    events += changes(session, outcome, cause: .proposed(0))
    for _ in 0..<Self.maximumTurns {
      guard let current = try openRenewed(session) else { break }
      // What was decided while the server was asked stays decided: only the proof is replaced.
      var stored = current.stored.learning(from: conversation)
      stored.proof = outcome.proof
      var append = Append(
        events, precondition: .revision(account, current.state.revision))
      append.vault = [
        .set(account, purpose: Purpose.session, generation: generation, content: stored.encoded),
        .set(
          account, purpose: Purpose.cookies, generation: generation,
          content: outcome.jar.record.encoded),
      ]
      do throws(GatebookError) {
        try await commit(append)
        return
      } catch  where error.code == .preconditionFailed {
        continue
      }
    }
    // A late answer changes nothing (rule 4).
    try await commit(
      Append([
        session.event(.refreshDiscarded, cause: cause, data: ["generation": .integer(generation)])
      ]))
  }

  /// The session as it is now; `nil` when it was ended, or renewed or made anew by somebody else.
  private func openRenewed(_ session: OpenSession) throws(GatebookError) -> OpenSession? {
    do throws(GatebookError) {
      guard let current = try openSession(of: session.context.account),
        current.session == session.session,
        current.state.generation == session.state.generation
      else { return nil }
      return current
    } catch  where error.code == .sessionRefused {
      return nil
    }
  }

  /// What an answer about the user changes besides the session itself.
  func changes(
    _ session: OpenSession, _ outcome: Outcome, cause: ProposedEvent.Cause
  ) -> [ProposedEvent] {
    var events: [ProposedEvent] = []
    if let change = AttributeChange(
      from: session.context.user, to: outcome.attributes), !outcome.attributes.names.isEmpty
    {
      events.append(
        session.event(
          .attributesChanged, cause: cause, data: change.data, personal: change.personal))
    }
    if outcome.jar.record != session.jar.record {
      var changed = session
      changed.jar = outcome.jar
      events.append(changed.cookiesChanged(at: clock.now().wall, cause: cause))
    }
    return events
  }

  private func fail(
    _ session: OpenSession, _ error: GatebookError, _ started: Position
  ) async throws(GatebookError) -> Never {
    var data = error.facts
    data["generation"] = .integer(session.state.generation + 1)
    let isTerminal = [.credentialsRefused, .sessionRefused, .tokenRefused].contains(error.code)
    let event = session.event(
      isTerminal ? .refreshFailed : .refreshDeferred, cause: .recorded(started), data: data)
    let receipt = try await commit(Append([event]))
    if isTerminal {
      let isSilent = error.code == .tokenRefused && error.serverCode == nil
      try await end(
        session.context, reason: isSilent ? .refusedWithoutReason : .refused,
        cause: receipt.first, error: error)
    }
    throw error
  }
}
