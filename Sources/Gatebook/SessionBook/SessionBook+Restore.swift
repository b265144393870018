extension SessionBook {
  /// Resumes an account's session from the log, without the network.
  ///
  /// The context says when the server last confirmed it; the next request asks the server. Even if
  /// the event cannot be written (a full disk, a locked book), the context is returned, with
  /// `isRecorded` false.
  ///
  /// Source: Login Screenlet, `loadStoredCredentials`.
  ///
  /// - Parameter account: The account.
  /// - Returns: The context, `offline`.
  /// - Throws: `session.refused` when only a login helps, also because the server has not confirmed
  ///   the session for longer than ``LoginOptions/offlineLimit`` allows. `key` and `storage`
  ///   failures when the book cannot be read, which never means "logged out".
  public func restore(_ account: AccountID) async throws(GatebookError) -> SessionContext {
    try await offline.resume(try await offline.resumable(account))
  }

  /// Resumes an account's session without the network, if the password is correct.
  ///
  /// For apps that several people can open. The password is compared with a verifier that the last
  /// login at the server kept, if its options allowed saving credentials. The verifier is a salted
  /// scrypt hash, encrypted with the account. It is removed with the saved credentials, and each
  /// login with a password replaces it. `session.restored` then has the evidence `password`.
  ///
  /// Each attempt is counted in the log before the password is checked. After 5 wrong passwords in
  /// a row, across all processes and restarts, none is checked until a login at the server with the
  /// password succeeds. Wrong passwords never end the session. This is an application-level check,
  /// not cryptographic protection: the book's key encrypts the session's secrets, not this
  /// password.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - password: What was typed.
  /// - Returns: The context, `offline`; see ``restore(_:)``.
  /// - Throws: `credentials.refused` for a wrong password. `challenge.blocked` after too many wrong
  ///   ones. `login.unprovable` if the account has no verifier. `session.refused` when only a login
  ///   helps. A `storage` failure if the attempt cannot be counted; the password is then not
  ///   checked. The session is unchanged in each case.
  public func restore(
    _ account: AccountID, password: Secret
  ) async throws(GatebookError) -> SessionContext {
    try await offline.restore(account, password: password)
  }

  /// Whether ``restore(_:password:)`` would look at a password now.
  ///
  /// - Throws: What it would throw before; then nobody need type one.
  package func checkRestorableByPassword(_ account: AccountID) async throws(GatebookError) {
    _ = try await offline.resumable(account)
    guard try ledger.hasOfflineVerifier(account) else { throw OfflineAttempt.nothingToCheckBy }
    guard try ledger.reader.state(of: account)?.passwordAttempts ?? 0 < OfflineAttempt.maximum
    else {
      throw OfflineAttempt.usedUp
    }
  }
}
