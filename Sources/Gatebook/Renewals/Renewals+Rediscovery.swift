/// What is found out before a one-time credential is sent: no intent is in the log meanwhile, so a
/// process that dies then has used nothing up (rule 2).
extension Renewals {
  /// Finds out what the renewal of a session needs to know, such as where its server is now, and
  /// keeps it.
  ///
  /// - Throws: A person's decisions on the way, and storage failures; after any other failure the
  ///   renewal continues with what is known.
  func prepareRenewal(of session: OpenSession) async throws(GatebookError) {
    guard let machine = session.stored.proof.renewable?.preparation(at: ledger.clock.now()) else {
      return
    }
    let ending = await challenges.run(machine, in: challenges.conversation(of: session))
    try await challenges.keep(ending.conversation, session)
    switch ending.outcome {
    case .success(let outcome): try await keepFound(outcome, session)
    case .failure(let error) where AuthenticatorRun.isFinal(error.code):
      // Else each use would ask the person again.
      let failure = failure(
        error, ending, of: session, sending: session.stored.proof, isSpent: false, attempt: 1)
      _ = try await record(
        FailedRenewal(
          session: session, started: session.context.position, failure: failure, error: error))
      throw error
    case .failure: break
    }
  }

  private func keepFound(
    _ outcome: Outcome, _ session: OpenSession
  ) async throws(GatebookError) {
    try await ledger.update(session) { current in
      // What others have learnt meanwhile stays: then this is found out again another time.
      guard current.stored.proof.record == session.stored.proof.record else { return nil }
      current.stored.proof = outcome.proof
      return Append(Self.moves(outcome, of: session, cause: nil))
    }
  }

  /// What was saved, with what a login with it needs to know.
  ///
  /// - Parameters:
  ///   - saved: What was saved.
  ///   - attempt: The login, which has not begun.
  ///   - options: Its options.
  /// - Returns: What was saved as it was, where nothing came of that.
  func prepared(
    _ saved: StoredSession, for attempt: LoginAttempt, _ options: LoginOptions
  ) async -> StoredSession {
    guard let machine = saved.proof.renewable?.preparation(at: ledger.clock.now()),
      var conversation = try? self.challenges.conversation(of: attempt, options)
    else { return saved }
    // The login itself asks what there is to be asked.
    conversation.asksNobody = true
    guard case .success(let outcome) = await challenges.run(machine, in: conversation).outcome
    else {
      return saved
    }
    var prepared = saved
    prepared.proof = outcome.proof
    // What cannot be kept is found out again.
    try? await keep(prepared, of: attempt.account, inPlaceOf: saved)
    return prepared
  }

  /// Keeps what was saved with what was found out; not where somebody has changed it meanwhile.
  private func keep(
    _ prepared: StoredSession, of account: AccountID?, inPlaceOf saved: StoredSession
  ) async throws(GatebookError) {
    guard let account else { return }
    try await ledger.retryingOnConflict { () throws(GatebookError) in
      guard let state = try ledger.reader.state(of: account),
        try ledger.savedSession(of: account)?.record == saved.record
      else { return }
      try await ledger.commit(
        Append(
          [], precondition: .revision(account, state.revision),
          vault: [
            prepared.kept(as: Purpose.credentials, of: account, generation: state.generation)
          ]))
    }
  }

  /// The event about endpoints that the server has moved; none where it has not.
  static func moves(
    _ outcome: Outcome, of session: OpenSession, cause: ProposedEvent.Cause?
  ) -> [ProposedEvent] {
    outcome.moved.map { [session.event($0, cause: cause)] } ?? []
  }
}
