extension Renewals {
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
