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
    let event = ProposedEvent(
      ended, account: context.account, session: session,
      cause: .recorded(cause ?? context.position))
    var append = Append(
      [event], precondition: .generation(context.account, session, context.generation))
    append.vault = try endingVault(of: context.account, context.generation, reason)
    if let left {
      append.leave(left, generation: context.generation + 1, of: context.account, session)
    }
    do throws(GatebookError) {
      try await commit(append)
      return true
    } catch  where error.code == .preconditionFailed {
      // Somebody renewed the session or logged in again: what we know of it is out of date.
      return false
    }
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
}
