extension SessionBook {
  /// Resumes an account's session without the network, for whoever knows its password.
  ///
  /// For apps that several people can open: the password of the last login at the server is checked
  /// against a verifier that this login kept, if its options allowed to save credentials. The verifier
  /// is a salted scrypt hash, sealed with the account; it goes with the saved credentials, and each
  /// login by password replaces it. `session.restored` then has the evidence `password`.
  ///
  /// Each try is counted in the log before the password is looked at. After 5 wrong ones in a row, over
  /// all processes and restarts, none is checked until somebody has logged in at the server with the
  /// password. No number of wrong ones ends the session: this is a gate in the app, no cryptography;
  /// the session's secrets are sealed by the book's key, not by this password.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - password: What was typed.
  /// - Returns: The context, `offline`; see ``restore(_:)``.
  /// - Throws: `credentials.refused` for a wrong password; `challenge.blocked` when too many were
  ///   wrong; `login.unprovable` when the account has kept no verifier; `session.refused` when only a
  ///   login helps; a `storage` failure when the try cannot be counted: then nothing was checked. The
  ///   session is as before in each case.
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
          session.event(
            .challengeFailed, cause: .recorded(attempt.position), data: attempt.failure)
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
    return try await takeTurns { () throws(GatebookError) in
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
            .challengeReceived, cause: .recorded(state.cause),
            data: OfflineAttempt.facts(round: round))
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
