extension Outbox {
  /// The same grant, of nobody's login where its account was erased meanwhile.
  func outlivingErasure(_ left: UnclaimedGrant) -> UnclaimedGrant {
    guard let account = left.attempt.account, (try? ledger.reader.isErased(account)) == true else {
      return left
    }
    var attempt = left.attempt
    attempt.account = nil
    return UnclaimedGrant(attempt: attempt, item: left.item, conversation: left.conversation)
  }

  /// The same events, in the book's own stream if their account was erased meanwhile: the end of a
  /// login is recorded all the same.
  func outlivingErasure(_ events: [ProposedEvent]) -> [ProposedEvent] {
    events.map { event in
      guard let account = event.account, (try? ledger.reader.isErased(account)) == true else {
        return event
      }
      var event = event
      event.account = nil
      event.personal = nil
      return event
    }
  }

  /// What a run was granted before it failed; `nil` for nothing that could be taken back.
  func unclaimed(
    after ending: AuthenticatorRun.Ending?, of attempt: LoginAttempt
  ) -> UnclaimedGrant? {
    guard let ending, let proof = spared(ending.unclaimed, of: nil) else { return nil }
    return unclaimed(proof, ending.conversation, of: attempt)
  }

  /// What a login has brought that is not kept; `nil` for nothing that could be taken back.
  func unclaimed(
    _ outcome: Outcome, _ conversation: Conversation, of attempt: LoginAttempt
  ) -> UnclaimedGrant? {
    spared(outcome.proof, of: outcome.person).map { unclaimed($0, conversation, of: attempt) }
  }

  private func unclaimed(
    _ proof: any SessionProof, _ conversation: Conversation, of attempt: LoginAttempt
  ) -> UnclaimedGrant {
    // Who gave something for challenges on the way gave it for a login that has failed.
    let given = attempt.account.flatMap { try? ledger.credentials(of: $0) } ?? KeptCredentials()
    let stored = StoredSession(
      proof: proof, origins: [], trust: conversation.route.trust, given: given)
    return UnclaimedGrant(
      attempt: attempt, item: OutboxItem(stored: stored, jar: CookieJar()),
      conversation: conversation)
  }

  /// What a server has granted to a session, and the session cannot have: it is another user's, or
  /// of no use.
  ///
  /// - Parameters:
  ///   - proof: What it has granted.
  ///   - session: The session.
  ///   - isEnding: Whether the session ends with this; else it loses nothing by it.
  /// - Returns: `nil` for nothing that could be taken back.
  func unclaimed(
    _ proof: (any SessionProof)?, of session: OpenSession, isEnding: Bool = true
  ) -> OutboxItem? {
    spared(proof, of: nil, besides: isEnding ? session.session : nil).map { proof in
      var stored = session.stored
      stored.proof = proof
      return OutboxItem(stored: stored, jar: CookieJar())
    }
  }

  /// What of new tokens may be taken back without harm to any session that lives (rule 7).
  ///
  /// - Parameters:
  ///   - proof: The tokens.
  ///   - person: Whose they are; `nil` where that is not proven: they may be anybody's.
  ///   - session: A session that ends with this, which does not count.
  /// - Returns: `nil` for what has no tokens, for a server without an endpoint for it, where a
  ///   token is a live session's too, and where the book cannot be read: it may hold one.
  func spared(
    _ proof: (any SessionProof)?, of person: Person?, besides session: SessionID? = nil
  ) -> (any SessionProof)? {
    guard var proof = proof?.tokenBearing, proof.hasLogout(at: ledger.clock.now()) else {
      return nil
    }
    do throws(GatebookError) {
      let owner = try person.flatMap { person throws(GatebookError) in
        try ledger.reader.account(ofUser: person)
      }
      for context in try ledger.reader.accounts() {
        // Another method may call the same user otherwise.
        let isOfSameUser =
          person.map { owner == context.account || !context.method.hasPrefix($0.family) } ?? true
        for other in try live(context, besides: session) {
          guard let rest = proof.sparing(other, isOfSameUser: isOfSameUser) else { return nil }
          proof = rest
        }
      }
    } catch {
      return nil
    }
    return proof.hasLogout(at: ledger.clock.now()) ? proof : nil
  }

  /// What of the tokens in the outbox may still be taken back: since they were put there the
  /// account may have been logged in again.
  ///
  /// - Returns: `nil` where a session lives by them now.
  func spared(
    _ proof: any SessionProof, since queued: RecordedEvent, of account: AccountID
  ) throws(GatebookError) -> (any SessionProof)? {
    guard var tokens = proof.tokenBearing else { return proof }
    // Logged-out sessions and late grants for a former session must be revoked (rules 4 and 6),
    // except for what logs in again, or has done so.
    let isFailure = !queued.isKind(.logoutRequested) && !queued.isKind(.refreshDiscarded)
    for other in try live(try ledger.context(of: account), besides: nil) {
      guard isFailure else {
        tokens = tokens.leaving(other)
        continue
      }
      guard let rest = tokens.sparing(other, isOfSameUser: true) else { return nil }
      tokens = rest
    }
    return tokens.hasLogout(at: ledger.clock.now()) ? tokens : nil
  }

  /// The tokens that an account lives by, or may be logged in again with.
  private func live(
    _ context: SessionContext, besides session: SessionID?
  ) throws(GatebookError) -> [any TokenBearing] {
    let account = context.account
    let isEnding = session != nil && context.session == session
    var proofs: [any SessionProof] = []
    for purpose in [Purpose.session, Purpose.credentials, Purpose.refused] {
      guard purpose != Purpose.session || !isEnding,
        let stored = try ledger.stored(purpose, of: account)
      else { continue }
      proofs.append(stored.proof)
    }
    if let held = ledger.held[account], held.isWanted, held.renewal == nil || !isEnding {
      proofs.append(held.proof)
    }
    return proofs.compactMap(\.tokenBearing)
  }

  /// Has what a failed login was granted taken back, after its failure was recorded.
  ///
  /// - Parameters:
  ///   - left: What was granted; it is in the outbox if it could be kept.
  ///   - cause: The event that tells of the failure; `nil` where it could not be recorded.
  /// - Returns: Whether the server has heard, or will.
  @discardableResult
  func takeBack(_ left: UnclaimedGrant, cause: Position?) async -> Bool {
    guard left.attempt.account == nil || cause == nil else {
      keepDelivering()
      return true
    }
    let ending = await tellAtOnce(left)
    if let cause {
      _ = try? await ledger.commit(Append(outlivingErasure([left.told(ending, cause: cause)])))
    }
    if case .done = ending { return true }
    return false
  }

  /// Has taken back what came after somebody else had recorded the end of its login.
  func abandon(_ left: UnclaimedGrant) async {
    if let late = left.late, (try? await ledger.commit(late)) != nil {
      keepDelivering()
    } else {
      await takeBack(left, cause: left.attempt.account == nil ? left.attempt.started : nil)
    }
  }

  /// Tells a server once.
  private func tellAtOnce(_ left: UnclaimedGrant) async -> DeliveryEnding {
    await .inTime {
      var conversation = left.conversation
      return await conversation.end(left.item.stored.proof, left.item.jar)
    }
  }
}
