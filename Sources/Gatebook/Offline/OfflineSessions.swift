/// Sessions that are used without the network, and the limit that their login set for that.
struct OfflineSessions {
  let ledger: Ledger
  let outbox: Outbox
  let logins: Logins
  let renewals: Renewals

  /// Records that a session was resumed.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - attempt: The try that had the right password; `nil` where none was asked for.
  ///   - turn: Which try to record it this is: a right password is recorded even if another process
  ///     was faster.
  /// - Returns: The context, marked where the event could not be written.
  /// - Throws: `key` and `storage` failures when the book cannot be read.
  func resume(
    _ session: OpenSession, byPassword attempt: OfflineAttempt? = nil, turn: Int = 1
  ) async throws(GatebookError) -> SessionContext {
    var append = Append(
      restored(session, attempt) + session.clockEvents(at: ledger.clock.now()),
      precondition: session.precondition)
    append.mayBeGivenUp = attempt == nil
    do throws(GatebookError) {
      try await ledger.commit(append)
    } catch  where Ledger.isUnwritable(error.code) {
      let doubted = try self.ledger.context(of: session.context.account)
      let context =
        doubted.state == .uncertain
        ? doubted
        : session.context.unrecorded(
          lastVerified: session.state.verifiedAt ?? session.context.since)
      await logins.tell([.loaded(context)])
      return context
    } catch  where error.code == .preconditionFailed {
      // Another process renewed or ended the session meanwhile: what it recorded is the truth.
      if let attempt, turn < Ledger.maximumTurns {
        let session = try await resumable(session.context.account)
        return try await resume(session, byPassword: attempt, turn: turn + 1)
      }
    }
    let context = try ledger.context(of: session.context.account)
    await logins.tell([.loaded(context)])
    return context
  }

  private func restored(
    _ session: OpenSession, _ attempt: OfflineAttempt?
  ) -> [ProposedEvent] {
    let evidence = session.state.verified ?? session.state.cause
    var restored = SessionRestored()
    (restored.boot, restored.bootID) = ledger.countedClock(of: session)
    guard let attempt else {
      restored.evidence = .integer(evidence.rawValue)
      return [session.event(restored, cause: .recorded(evidence))]
    }
    restored.evidence = "password"
    restored.verified = evidence
    return [
      session.event(
        ChallengeAnswered(OfflineAttempt.challenge(round: attempt.round)),
        cause: .recorded(attempt.position)),
      session.event(restored, cause: .proposed(0)),
    ]
  }

  /// What checks an account's password offline.
  func offlineVerifier(of account: AccountID) throws(GatebookError) -> OfflineVerifier? {
    guard let bytes = try ledger.reader.secret(of: account, purpose: Purpose.offline) else {
      return nil
    }
    guard let verifier = OfflineVerifier(bytes) else {
      throw GatebookError(
        .storageDamaged,
        "This version of Gatebook cannot read the data that checks the account's password offline.",
        kept: "The session is kept.", remedy: "Log in with the password at the server.")
    }
    return verifier
  }
}
