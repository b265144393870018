extension Ledger {
  /// Records that only a new login helps.
  ///
  /// - Parameters:
  ///   - context: The account.
  ///   - reason: Why.
  ///   - cause: The event that led to it; `nil`: the account's last.
  ///   - error: The failure that decided.
  ///   - left: What nobody will use now, to be ended at the server.
  /// - Returns: Whether it was so; `false` if somebody renewed the session, ended it or logged in
  ///   again.
  /// - Throws: Storage failures.
  @discardableResult
  func end(
    _ context: SessionContext, reason: EndReason, cause: Position?, error: GatebookError? = nil,
    leaving left: OutboxItem? = nil
  ) async throws(GatebookError) -> Bool {
    guard let session = context.session else { return true }
    var ended = SessionEnded(reason: reason)
    if let error {
      ended.failure = Failure(error)
      // The event that led to it says them; how a use was refused nothing else says.
      ended.failure.fault = nil
      if cause != nil { ended.failure.error = nil }
      ended.isHalted = try isSavedRefused(by: error, context.account)
    }
    // What was renewed for another user is used up like any other.
    let isUsedUp =
      reason == .refusedAfterUnknownOutcome || (reason == .identityMismatch && cause != nil)
    let doubt = try doubtOfSaved(context.account, isUsedUp: isUsedUp)
    (ended.attempt, ended.fingerprint) = (doubt?.attempt, doubt?.fingerprint)
    var append = Append(
      [context.event(ended, cause: cause.map { .recorded($0) })],
      precondition: .generation(context.account, session, context.generation),
      vault: try endingVault(of: context.account, context.generation, reason))
    if let left {
      append.leave(left, generation: context.generation + 1, of: context.account, session)
    }
    // Where somebody renewed the session or logged in again, what we know of it is out of date.
    return try await commitIfUnchanged(append) != nil
  }

  /// What the end of a session does to an account's secrets: the session's own go, and its settings
  /// stay.
  func endingVault(of account: AccountID) -> [Append.VaultChange] {
    keepingSettings(of: account) + Append.VaultChange.endSession(of: account)
  }

  /// What such an end for a reason does to them: a session that was refused without a word is kept
  /// for one more try by hand, because the server may have refused the client.
  func endingVault(
    of account: AccountID, _ generation: Int64, _ reason: EndReason?
  ) throws(GatebookError) -> [Append.VaultChange] {
    guard reason == .refusedWithoutReason,
      let refused = try reader.secret(of: account, purpose: Purpose.session)
    else { return endingVault(of: account) }
    return endingVault(of: account) + [
      .set(account, purpose: Purpose.refused, generation: generation, content: refused)
    ]
  }

  /// Records that a session's known life is over where nothing but a login makes it live on.
  ///
  /// Readers see it without that; the log learns of it by the next who writes about the account.
  ///
  /// - Parameter account: The account.
  /// - Returns: `nil` for a session that is not over.
  /// - Throws: Storage failures.
  @discardableResult
  func recordExpiry(of account: AccountID) async throws(GatebookError) -> Expiry? {
    let last = try unchanged(account)?.session.state
    guard let state = if let last { last } else { try reader.state(of: account) },
      let session = state.session
    else { return nil }
    let events = try expiry(of: account, state)
    guard !events.isEmpty else { return nil }
    let append = Append(
      events, precondition: .generation(account, session, state.generation),
      vault: try endingVault(of: account, state.generation, state.renewalEnd?.reason))
    let refusal = try refusedToken(of: state)
    do throws(GatebookError) {
      guard try await commitIfUnchanged(append) != nil else {
        // Somebody logged in again or recorded it: what they wrote is the truth.
        return try reader.state(of: account)?.hasExpired(at: clock.now()) == true ? Expiry() : nil
      }
    } catch  where Self.isUnwritable(error.code) {
      return Expiry()
    }
    return Expiry(refusal: refusal)
  }

  /// A session whose known life is over, also where the book cannot be written now.
  struct Expiry {
    /// What this record tells of its refresh token: the server had refused it.
    var refusal: GatebookError?
  }

  /// What tells of a session whose life is over, where nobody has recorded that.
  ///
  /// - Returns: The events, that of the end last; none where it is not over.
  func expiry(
    of account: AccountID, _ state: AccountState
  ) throws(GatebookError) -> [ProposedEvent] {
    let now = clock.now()
    // What a full disk could not take yet is newer than what is on it.
    guard held[account]?.renewal == nil, let session = state.session,
      try hasExpired(state, account, at: now)
    else { return [] }
    var expired = SessionExpired()
    expired.reason = state.renewalEnd?.reason
    let end = ProposedEvent(
      expired, account: account, session: session,
      cause: .recorded(state.renewalEnd?.position ?? state.cause))
    guard let jump = state.renewed?.jump(at: now) else { return [end] }
    var observed = ClockObserved()
    observed.jump = jump
    return [
      ProposedEvent(observed, account: account, session: session, cause: .recorded(state.cause)),
      end,
    ]
  }

  /// Whether a session is over and nothing makes it live on.
  ///
  /// An older Gatebook also saved what cannot log in: that alone the vault knows.
  private func hasExpired(
    _ state: AccountState, _ account: AccountID, at now: Moment
  ) throws(GatebookError) -> Bool {
    if state.hasExpired(at: now) { return true }
    guard state.state.isUsable, !state.isRenewable, state.logsInAgain, state.isOver(at: now) else {
      return false
    }
    return try savedSession(of: account)?.proof.canLogInAgain != true
  }
}
