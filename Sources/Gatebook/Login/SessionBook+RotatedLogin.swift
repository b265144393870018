/// A login with a saved refresh token whose server has rotated it, and granted nothing else that can be
/// used.
extension SessionBook {
  /// Saves what came in the place of what was sent, with the failure of the login: what was sent is used
  /// up (RFC 6749 section 6).
  ///
  /// Returns only where nothing lives by what was sent any more; then nothing is recorded.
  ///
  /// - Parameters:
  ///   - rotated: What came.
  ///   - sent: What was sent.
  ///   - ending: How the login ended.
  ///   - attempt: The login.
  ///   - former: The session in whose place it logs in; `nil` where somebody asked for a login.
  ///   - error: Why it failed.
  /// - Throws: That, when what came is on disk; storage failures.
  func saveRotated(
    _ rotated: any SessionProof, from sent: any SessionProof, _ ending: AuthenticatorRun.Ending,
    _ attempt: LoginAttempt, _ former: OpenSession?, _ error: GatebookError
  ) async throws(GatebookError) {
    guard let account = attempt.account, let secret = rotated.fingerprinted else { return }
    var attempt = attempt
    attempt.failure = .deferred(BackOff.longest(random: random.bytes(1)[0]), isDemanded: false)
    var failed = attempt.failed(error)
    failed.data["fingerprint"] = .text(try reader.fingerprint(of: secret, for: account))
    failed.data["partial"] = true
    let events = attempt.events(for: ending.challenges, account: account) + [failed]
    let isSaved = try await takeTurns { () throws(GatebookError) in
      try await save(rotated, from: sent, of: account, events)
    }
    guard isSaved else { return }
    try? await recordWait(after: error, attempt, former)
    throw error.keeping("The new refresh token is saved in the place of the one that was sent.")
  }

  private func save(
    _ rotated: any SessionProof, from sent: any SessionProof, of account: AccountID,
    _ events: [ProposedEvent]
  ) async throws(GatebookError) -> Bool {
    guard let state = try reader.state(of: account) else { return false }
    var append = Append(events, precondition: .revision(account, state.revision))
    // A session may live by the same token.
    for purpose in [Purpose.credentials, Purpose.refused, Purpose.session] {
      guard var stored = try stored(purpose, of: account), stored.proof.isSpent(with: sent) else {
        continue
      }
      stored.proof = rotated
      append.vault.append(
        .set(account, purpose: purpose, generation: state.generation, content: stored.encoded))
    }
    guard !append.vault.isEmpty else { return false }
    do throws(GatebookError) {
      try await commit(append)
    } catch  where error.code == .storageFull {
      // The reserve was filled for this when the login began.
      guard try store.get().reserve.release() else { throw error }
      try await commit(append)
    }
    return true
  }
}
