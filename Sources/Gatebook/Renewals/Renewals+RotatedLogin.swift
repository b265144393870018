/// A login with a saved refresh token whose server has rotated it, and that brings no session: what
/// was sent is used up (RFC 6749 section 6), and what came takes its place.
extension Renewals {
  /// Saves what came in the place of what was sent, with the end of the login.
  ///
  /// - Parameters:
  ///   - login: The login.
  ///   - error: How it ended.
  ///   - left: What else came, to be taken back.
  /// - Returns: Whether it is on disk; `false` if no session uses the sent token: then nothing is
  ///   recorded.
  /// - Throws: Storage failures.
  func saveRotated(
    _ login: GrantedLogin, _ error: GatebookError, leaving left: UnclaimedGrant? = nil
  ) async throws(GatebookError) -> Bool {
    let (account, attempt, rotated) = (login.account, login.attempt, login.outcome.proof)
    guard let fingerprint = try ledger.fingerprint(of: rotated, for: account) else { return false }
    var ended = attempt.failed(error)
    ended.change(LoginFailed.self) { failed in
      failed.fingerprint = fingerprint
      failed.isSaved = true
      // That speaks of what was sent.
      failed.isHalted = false
      failed.isUnanswered = false
      failed.isPartial = true
    }
    ended.change(LoginCancelled.self) { cancelled in
      cancelled.fingerprint = fingerprint
      cancelled.isSaved = true
    }
    let events = attempt.events(for: login.ending.challenges, account: account)
    let isSaved = try await ledger.retryingOnConflict { () throws(GatebookError) in
      try await save(rotated, from: login.sent, of: account, events, ended, leaving: left)
    }
    if isSaved, left != nil { outbox.keepDelivering() }
    return isSaved
  }

  private func save(
    _ rotated: any SessionProof, from sent: any SessionProof, of account: AccountID,
    _ events: [ProposedEvent], _ ended: ProposedEvent, leaving left: UnclaimedGrant?
  ) async throws(GatebookError) -> Bool {
    guard let state = try ledger.reader.state(of: account) else { return false }
    var ended = ended
    var vault: [Append.VaultChange] = []
    // A session may live by the same token.
    for purpose in [Purpose.credentials, Purpose.refused, Purpose.session] {
      guard
        let change = try replacing(
          sent, by: rotated, as: purpose, of: account, state.generation)
      else { continue }
      vault.append(change)
      guard purpose == Purpose.session else { continue }
      ended.change(LoginFailed.self) { $0.isShared = true }
      ended.change(LoginCancelled.self) { $0.isShared = true }
    }
    guard !vault.isEmpty else { return false }
    var append = Append(
      events + [ended], precondition: .revision(account, state.revision), vault: vault)
    left?.queue(in: &append)
    // The reserve was filled for this when the login began.
    try await ledger.withReserve { () throws(GatebookError) in _ = try await ledger.commit(append) }
    return true
  }
}
