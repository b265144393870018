extension OfflineSessions {
  /// Resumes an account's session without the network, if the password is correct.
  func restore(
    _ account: AccountID, password: Secret
  ) async throws(GatebookError) -> SessionContext {
    // First: nobody is asked for a password that can resume nothing.
    let session = try await resumable(account)
    let attempt = try await countedAttempt(of: session)
    switch await attempt.verifier.accepts(password) {
    case true?: break
    case false?:
      // The try counts already; what this adds is how it ended.
      _ = try? await ledger.commit(
        Append([
          session.event(attempt.failed, cause: .recorded(attempt.position))
        ]))
      throw attempt.refusal
    case nil: throw OfflineAttempt.noMemory
    }
    // The session may have been renewed or ended while the password was checked.
    return try await resume(try await resumable(account), byPassword: attempt)
  }

  /// Counts a try, durably, before anything is checked: a process that ends on purpose in between
  /// has used it up, and processes that try at once do so one after the other.
  private func countedAttempt(
    of session: OpenSession
  ) async throws(GatebookError) -> OfflineAttempt {
    let account = session.context.account
    return try await ledger.retryingOnConflict { () throws(GatebookError) in
      // Read first: what somebody writes after this fails the append.
      guard let state = try ledger.reader.state(of: account) else {
        throw Ledger.needsLogin(session.context)
      }
      guard let verifier = try offlineVerifier(of: account) else {
        throw OfflineAttempt.nothingToCheckBy
      }
      let round = state.passwordAttempts + 1
      guard round <= OfflineAttempt.maximum else { throw OfflineAttempt.usedUp }
      let append = Append(
        [
          session.event(
            ChallengeReceived(OfflineAttempt.challenge(round: round)),
            cause: .recorded(state.cause))
        ], precondition: .revision(account, state.revision))
      do throws(GatebookError) {
        return OfflineAttempt(
          round: round, position: try await ledger.commitUnlessCancelled(append).first,
          verifier: verifier)
      } catch  where error.code != .preconditionFailed {
        throw OfflineAttempt.uncounted(error)
      }
    }
  }
}
