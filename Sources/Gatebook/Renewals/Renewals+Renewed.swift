extension Renewals {
  /// Records what a renewal brought, before anybody uses it (rule 5).
  ///
  /// - Parameters:
  ///   - session: The session that was renewed.
  ///   - outcome: The answer.
  ///   - started: Its intent.
  ///   - conversation: What was learnt on the way.
  ///   - lock: The account's.
  ///   - owner: Whom the account is for.
  /// - Throws: `identity.mismatch` for another user's answer, which ends the session.
  func finish(
    _ session: OpenSession, _ outcome: Outcome, _ started: Position, _ conversation: Conversation,
    _ lock: AccountLock, of owner: AccountOwner
  ) async throws(GatebookError) {
    grants.beginAnswer()
    defer { grants.endAnswer() }
    guard try owner.is(outcome.person, in: ledger.reader) else {
      let left = outbox.unclaimed(outcome.proof, of: session)
      let isEnded = try await outbox.end(
        session.context, reason: .identityMismatch, cause: started, leaving: left)
      if !isEnded, let left { try await discard(left, of: session, started) }
      throw GatebookError(
        .identityMismatch, "The server renewed the session for another user.",
        kept: isEnded ? Self.keptByMismatch : Self.keptBesideMismatch,
        remedy: "Log in again, and ask the server's administrator.")
    }
    var stored = session.stored.learning(from: conversation)
    stored.proof = outcome.proof
    let renewal = UnsavedRenewal(
      former: session, outcome: outcome, stored: stored, started: started,
      moment: ledger.clock.now())
    do throws(GatebookError) {
      try await ledger.withReserve { () throws(GatebookError) in
        try await save(renewal, learning: conversation)
      }
    } catch  where !error.isFinal {
      // Whatever keeps it from the disk: nobody else knows what the server has answered.
      hold(renewal, error, lock)
    }
  }

  /// Keeps a renewal in memory until it can be written.
  private func hold(
    _ renewal: UnsavedRenewal, _ failure: GatebookError, _ lock: AccountLock,
    isolation: isolated (any Actor)? = #isolation
  ) {
    let grant = HeldGrant(proof: renewal.outcome.proof, renewal: renewal, lock: lock) {
      () throws(GatebookError) in
      do throws(GatebookError) {
        try await self.save(renewal, learning: nil)
      } catch  where error.isFinal {
        // The account was erased: nobody needs the grant.
      }
      return nil
    }
    grants.hold(grant, of: renewal.former.context.account, after: failure) { _ in }
  }

  private func save(
    _ renewal: UnsavedRenewal, learning conversation: Conversation?
  ) async throws(GatebookError) {
    let session = renewal.former
    let account = session.context.account
    let generation = session.state.generation + 1
    let isSaved = try await ledger.retryingOnConflict { () throws(GatebookError) in
      guard let current = try currentOnDisk(session) else { return false }
      // What was decided while the server was asked stays decided: only the proof is replaced.
      var stored = current.stored
      if let conversation { stored = stored.learning(from: conversation) }
      stored.proof = renewal.outcome.proof
      var append = Append(
        try events(of: renewal, generation),
        precondition: .revision(account, current.state.revision))
      // What the user saved was used up by this: it would log nobody in again.
      let replacing = try replacing(
        session.stored.proof, by: renewal.outcome.proof, of: account, generation,
        given: stored.given)
      if replacing != nil { append.events[0].change(RefreshSucceeded.self) { $0.isSaved = true } }
      append.vault = [
        stored.kept(of: account, generation: generation),
        renewal.outcome.jar.kept(of: account, generation: generation),
      ]
      if let replacing { append.vault.append(replacing) }
      try await ledger.commit(append)
      return true
    }
    // Another task, or a commit whose failure came after it, may have saved it.
    if isSaved { return }
    if try isRecorded(renewal) { return }
    try await discard(renewal)
  }

  /// What puts what came into the place of what was sent, where that is kept for a purpose and used
  /// up by it; `nil` where it is not.
  func replacing(
    _ sent: any SessionProof, by came: any SessionProof, as purpose: String = Purpose.credentials,
    of account: AccountID, _ generation: Int64, given: KeptCredentials? = nil
  ) throws(GatebookError) -> Append.VaultChange? {
    guard var kept = try ledger.stored(purpose, of: account), kept.proof.isSpent(with: sent) else {
      return nil
    }
    kept.proof = came
    kept.given = given ?? kept.given
    return kept.kept(as: purpose, of: account, generation: generation)
  }

  private func isRecorded(_ renewal: UnsavedRenewal) throws(GatebookError) -> Bool {
    try ledger.events(.refreshSucceeded, of: renewal.former.context.account, since: renewal.started)
      .contains { $0.cause == renewal.started }
  }

  /// Records that an answer came too late: the session that it was for stays ended, or another's.
  ///
  /// What the user saved outlives the session, and logs in by what came where the renewal used it
  /// up.
  private func discard(_ renewal: UnsavedRenewal) async throws(GatebookError) {
    let session = renewal.former
    let account = session.context.account
    try await ledger.retryingOnConflict { () throws(GatebookError) in
      var item = OutboxItem(stored: renewal.stored, jar: renewal.outcome.jar)
      let replacing = try replacing(
        session.stored.proof, by: renewal.outcome.proof, of: account, session.state.generation + 1)
      if replacing != nil, let tokens = item.stored.proof.tokenBearing {
        item.stored.proof = tokens.leaving(renewal.outcome.proof)
      }
      try await discard(
        item, of: session, renewal.started, replacing: replacing,
        revision: try ledger.reader.state(of: account)?.revision)
    }
  }

  /// Records that an answer came too late: it changes nothing (rule 4), and its tokens are for
  /// nobody.
  ///
  /// - Parameters:
  ///   - item: The tokens.
  ///   - session: The session that they came for.
  ///   - started: The renewal's intent.
  ///   - saved: The new saved credentials; `nil` for none.
  ///   - revision: The account's last one that was seen; `nil` where it does not matter.
  /// - Throws: Storage failures; `precondition.failed` where the account has a later revision.
  func discard(
    _ item: OutboxItem, of session: OpenSession, _ started: Position,
    replacing saved: Append.VaultChange? = nil, revision: Int64? = nil
  ) async throws(GatebookError) {
    let account = session.context.account
    let generation = session.state.generation + 1
    let isRevocable = item.stored.proof.hasLogout(jar: item.jar, at: ledger.clock.now())
    var discarded = RefreshDiscarded(generation: generation)
    discarded.isSaved = saved != nil
    var append = Append(
      [session.event(discarded, cause: .recorded(started))],
      precondition: revision.map { Precondition.revision(account, $0) } ?? Precondition.none)
    if let saved { append.vault = [saved] }
    if isRevocable {
      append.leave(item, generation: generation, of: account, session.session)
    }
    do throws(GatebookError) {
      try await ledger.commit(append)
    } catch  where error.isFinal {
      // Nothing can be kept for an account that was erased: its server hears of it now or never.
      if isRevocable {
        let asker = Conversation.Asker(
          account: session.context.account, session: session.session, cause: .recorded(started),
          keepsDecisions: false)
        _ = await DeliveryEnding.inTime { await self.outbox.send(item, asker) }
      }
      throw error
    }
    if isRevocable { outbox.keepDelivering() }
  }

  private func events(
    of renewal: UnsavedRenewal, _ generation: Int64
  ) throws(GatebookError) -> [ProposedEvent] {
    let session = renewal.former
    var succeeded = RefreshSucceeded(generation: generation)
    succeeded.grant = renewal.outcome.grant
    if renewal.outcome.partialRenewal == nil {
      succeeded.life = renewal.outcome.recordedLife(
        at: renewal.moment, kept: session.state.offset)
    } else {
      succeeded.answerBoot = renewal.moment.boot
      succeeded.answerBootID = renewal.moment.bootID
      succeeded.isPartial = true
      succeeded.life = session.life
    }
    succeeded.fingerprint = try ledger.fingerprint(
      of: renewal.outcome.proof, for: session.context.account)
    let clocks =
      renewal.outcome.partialRenewal == nil ? [] : session.clocksAgain(cause: .proposed(0))
    return [session.event(succeeded, cause: .recorded(renewal.started))]
      + clocks + changes(session, renewal.outcome, cause: .proposed(0))
      // A jump of our own clock was told when this began.
      + session.clockEvents(at: nil, offset: renewal.outcome.offset)
      + partialRenewal(of: renewal.outcome, generation, session)
  }

  /// The error if a renewal brought only a new refresh token.
  ///
  /// A server that answers so would hand out one after the other.
  private func partialRenewal(
    of outcome: Outcome, _ generation: Int64, _ session: OpenSession
  ) -> [ProposedEvent] {
    guard let partialRenewal = outcome.partialRenewal else { return [] }
    var deferred = RefreshDeferred(generation: generation)
    deferred.failure = Failure(partialRenewal)
    deferred.retryAfter = BackOff.longest(random: ledger.random.bytes(1)[0])
    return [session.event(deferred, cause: .proposed(0))]
  }

  /// The session as the book has it now; `nil` if somebody else ended, renewed or replaced it.
  private func currentOnDisk(_ seen: OpenSession) throws(GatebookError) -> OpenSession? {
    do throws(GatebookError) {
      guard let current = try ledger.storedSession(of: seen.context.account), current.isStill(seen)
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
    if let change = ProposedEvent(
      changing: session.context.user, to: outcome.attributes, besides: outcome.leaks),
      !outcome.attributes.names.isEmpty
    {
      events.append(session.event(change, cause: cause))
    }
    events += Self.moves(outcome, of: session, cause: cause)
    if outcome.jar.record != session.jar.record {
      var changed = session
      changed.jar = outcome.jar
      events.append(
        changed.cookiesChanged(at: ledger.clock.now().wall, besides: outcome.leaks, cause: cause))
    }
    return events
  }
}
