extension SessionBook {
  /// Resumes an account's session without the network, if the password is correct.
  ///
  /// For apps that several people can open. The password is compared with a verifier that the last login at the
  /// server kept, if its options allowed saving credentials. The verifier is a salted scrypt hash, encrypted
  /// with the account. It is removed with the saved credentials, and each login with a password replaces it.
  /// `session.restored` then has the evidence `password`.
  ///
  /// Each attempt is counted in the log before the password is checked. After 5 wrong passwords in a row,
  /// across all processes and restarts, none is checked until a login at the server with the password succeeds.
  /// Wrong passwords never end the session. This is an application-level check, not cryptographic protection:
  /// the book's key encrypts the session's secrets, not this password.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - password: What was typed.
  /// - Returns: The context, `offline`; see ``restore(_:)``.
  /// - Throws: `credentials.refused` for a wrong password. `challenge.blocked` after too many wrong ones.
  ///   `login.unprovable` if the account has no verifier. `session.refused` when only a login helps. A
  ///   `storage` failure if the attempt cannot be counted; the password is then not checked. The session is
  ///   unchanged in each case.
  public func restore(
    _ account: AccountID, password: Secret
  ) async throws(GatebookError) -> SessionContext {
    // First: nobody is asked for a password that can resume nothing.
    let session = try await resumable(account)
    let attempt = try await countedAttempt(of: session)
    switch await attempt.verifier.accepts(password) {
    case true?: break
    case false?:
      // The try counts already; what this adds is how it ended.
      _ = try? await commit(
        Append([
          session.event(attempt.failed, cause: .recorded(attempt.position))
        ]))
      throw attempt.refusal
    case nil: throw OfflineAttempt.noMemory
    }
    // The session may have been renewed or ended while the password was checked.
    return try await resume(try await resumable(account), byPassword: attempt)
  }

  /// Whether ``restore(_:password:)`` would look at a password now.
  ///
  /// - Throws: What it would throw before; then nobody need type one.
  package func checkRestorableByPassword(_ account: AccountID) async throws(GatebookError) {
    _ = try await resumable(account)
    guard try hasOfflineVerifier(account) else { throw OfflineAttempt.nothingToCheckBy }
    guard try reader.state(of: account)?.passwordAttempts ?? 0 < OfflineAttempt.maximum else {
      throw OfflineAttempt.usedUp
    }
  }

  /// Counts a try, durably, before anything is checked: a process that ends on purpose in between has
  /// used it up, and processes that try at once do so one after the other.
  private func countedAttempt(
    of session: OpenSession
  ) async throws(GatebookError) -> OfflineAttempt {
    let account = session.context.account
    return try await retryingOnConflict { () throws(GatebookError) in
      // Read first: what somebody writes after this fails the append.
      guard let state = try reader.state(of: account) else {
        throw Self.needsLogin(session.context)
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
          round: round, position: try await commitUnlessCancelled(append).first, verifier: verifier)
      } catch  where error.code != .preconditionFailed {
        throw OfflineAttempt.uncounted(error)
      }
    }
  }
}
