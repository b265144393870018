/// A renewal that failed, or a login in the place of one.
struct FailedRenewal {
  let session: OpenSession
  /// What caused it: its intent.
  let started: Position
  /// What the failure means.
  let failure: RenewalFailure
  let error: GatebookError
  /// Whether it sent a possibly used token once more, which is not sent again automatically.
  var isLast = false
  /// Whether one use has tried again, and its former try is the same failure.
  var isRepeated = false
  /// Whether a terminal answer ends the session, and not only its renewal.
  var endsSession = true
}

/// The events that tell of renewals.
extension Renewals {
  /// Records that a refresh token was sent and the outcome is unknown: its process is gone, because
  /// its lock was free (rule 2).
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - attempt: Which use it was, from 1.
  ///   - cause: The event that says so.
  /// - Throws: Storage failures.
  func doubt(
    _ session: OpenSession, attempt: Int64, cause: Position
  ) async throws(GatebookError) {
    var uncertain = SessionUncertain(generation: session.state.generation)
    uncertain.attempt = attempt
    let event = session.event(uncertain, cause: .recorded(cause))
    try await ledger.commit(Append([event], precondition: session.precondition))
  }

  /// Records the intent; `nil` if the session was ended or replaced since it was read.
  func begin(
    _ session: OpenSession, _ trigger: RenewalTrigger
  ) async throws(GatebookError) -> Position? {
    let account = session.context.account
    let isSpent = session.stored.proof.isSingleUse
    let deadline = ledger.clock.now().wall + HTTPLimits.login.total
    let attempt = isSpent ? session.state.unanswered : session.state.intent?.attempt ?? 0
    var intent = RefreshStarted(
      attempt: attempt + 1, deadline: deadline, generation: session.state.generation + 1,
      trigger: trigger.rawValue)
    intent.fingerprint = try ledger.fingerprint(of: session.stored.proof, for: account)
    // The answer to an intent that is on disk must fit there too.
    if isSpent {
      try ledger.store.get().reserve.fill(replacing: session.stored.secretsOfRenewal(session.jar))
    }
    let events = [session.event(intent)] + session.clockEvents(at: ledger.clock.now())
    return try await ledger.commitIfUnchanged(
      Append(events, precondition: session.precondition))?.first
  }

  /// What the failure of a run means for the session that it was to renew, or to replace.
  ///
  /// - Parameters:
  ///   - error: The failure.
  ///   - ending: The run.
  ///   - session: The session; `nil` where somebody asked for a login.
  ///   - proof: What was sent.
  ///   - isSpent: Whether the run uses up what it sent.
  ///   - attempt: Which use of that it was, from 1.
  ///   - isRepeated: Whether one use tries again: what has failed before in it is the same failure.
  /// - Returns: What is to be recorded.
  func failure(
    _ error: GatebookError, _ ending: AuthenticatorRun.Ending, of session: OpenSession?,
    sending proof: any SessionProof, isSpent: Bool, attempt: Int64, isRepeated: Bool = false
  ) -> RenewalFailure {
    let failures = session?.state.deferral?.count ?? 0
    return RenewalFailure(
      error, isUnanswered: ending.isUnanswered, isSpent: isSpent, attempt: attempt,
      failuresBefore: isRepeated ? max(0, failures - 1) : failures,
      sendsPassword: proof.renewsByPassword,
      isUnsent: ending.reply == nil && !ending.isUnanswered && !ending.hasSpent,
      retryAfter: ending.reply?.retryAfter(at: ledger.clock.now().wall),
      random: ledger.random.bytes(1)[0])
  }

  /// Records how a renewal failed, and has taken back what it brought and nobody can use.
  ///
  /// - Parameters:
  ///   - failed: The renewal.
  ///   - left: What is to be taken back.
  /// - Returns: `false` where the session is not any more what it was: then nothing of it is
  ///   recorded, and nothing is ended.
  /// - Throws: Storage failures.
  func record(
    _ failed: FailedRenewal, leaving left: OutboxItem? = nil
  ) async throws(GatebookError) -> Bool {
    let (session, started, error) = (failed.session, failed.started, failed.error)
    var append = Append([try event(of: failed)], precondition: session.precondition)
    let endsSession = failed.failure.isTerminal && failed.endsSession
    if let left, !endsSession { append.leave(left, of: session, by: started) }
    if let receipt = try await ledger.commitIfUnchanged(append) {
      guard case .terminal(let reason) = failed.failure, endsSession else {
        if left != nil { outbox.keepDelivering() }
        return true
      }
      let isEnded = try await outbox.end(
        session.context, reason: reason, cause: receipt.first, error: error, leaving: left)
      if isEnded { return true }
    }
    guard let left else { return false }
    try await discard(left, of: session, started)
    return true
  }

  /// The event that says how a renewal failed.
  private func event(of renewal: FailedRenewal) throws(GatebookError) -> ProposedEvent {
    let (session, error) = (renewal.session, renewal.error)
    let cause = ProposedEvent.Cause.recorded(renewal.started)
    let use = session.state.unanswered + 1
    switch renewal.failure {
    case .terminal(let reason):
      var failed = RefreshFailed(generation: session.state.generation + 1)
      failed.failure = Failure(error)
      if !renewal.endsSession { try fill(&failed, reason, error, session.context.account) }
      if renewal.isLast { failed.attempt = use }
      return session.event(failed, cause: cause)
    case .unanswered:
      var uncertain = SessionUncertain(generation: session.state.generation)
      uncertain.failure = Failure(error)
      uncertain.attempt = use
      return session.event(uncertain, cause: cause)
    case .deferred, .halted:
      var deferred = RefreshDeferred(generation: session.state.generation + 1)
      deferred.failure = Failure(error)
      if case .deferred(let wait, let isDemanded) = renewal.failure {
        deferred.retryAfter = wait
        deferred.isDemanded = isDemanded
        // Who has failed often waits longer than the server demands.
        if isDemanded, let demanded = error.retryAfter, demanded < wait {
          deferred.demandedWait = demanded
        }
      } else {
        deferred.isHalted = true
      }
      if renewal.isLast { deferred.attempt = use }
      deferred.isRepeated = renewal.isRepeated
      return session.event(deferred, cause: cause)
    }
  }

  /// Takes over what another has made of the session while our renewal failed: an older program or
  /// a tool that knows nothing of our lock (rule 3: "On a refusal, re-read first").
  ///
  /// Only this is an adoption that the log tells of: our intent, which is in it, ended so. Who
  /// waited for another's renewal and reads it has begun nothing, and there may be hundreds.
  func adopt(
    _ session: OpenSession, _ error: GatebookError, _ started: Position
  ) async throws(GatebookError) {
    let account = session.context.account
    try await ledger.retryingOnConflict { () throws(GatebookError) in
      guard let state = try ledger.reader.state(of: account), state.session == session.session,
        state.state.isUsable, state.generation > session.state.generation
      else {
        // It was ended, or another login took its place: our failure is only history.
        var failed = RefreshFailed(generation: session.state.generation + 1)
        failed.failure = Failure(error)
        try await ledger.commit(Append([session.event(failed, cause: .recorded(started))]))
        return
      }
      let rotations = try ledger.events(.refreshSucceeded, of: account, since: started)
      var adopted = RefreshAdopted(generation: state.generation)
      adopted.failure = Failure(error)
      let event = session.event(
        adopted, cause: .recorded(rotations.last?.position ?? state.cause))
      try await ledger.commit(
        Append([event], precondition: .generation(account, session.session, state.generation)))
    }
    let context = try ledger.context(of: account)
    guard context.state.isUsable else { throw Ledger.needsLogin(context) }
  }
}
