extension Renewals {
  /// Opens an account's session; where it was refused and what was saved is logging in instead,
  /// that is waited for.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - mayLogIn: Whether what was saved may be sent where a login with it has met trouble;
  ///     without, no server is asked.
  /// - Returns: The session.
  /// - Throws: `session.refused` when only a login helps.
  func requireSession(
    of account: AccountID, mayLogIn: Bool = true
  ) async throws(GatebookError) -> OpenSession {
    var failure: GatebookError?
    do throws(GatebookError) {
      if let loggedIn = try await saveHeldLogin(of: account) { await logins.tell(loggedIn.news) }
    } catch {
      failure = error
    }
    do throws(GatebookError) {
      return try await presentSession(of: account)
    } catch  where error.code == .sessionRefused {
      // The server has granted a session that cannot be written yet.
      if let failure { throw failure }
      let isAwaited = try await ledger.waitForLogIn(of: account)
      let isBack = mayLogIn ? try await logInAfterTrouble(account) : false
      guard isBack || isAwaited else { throw error }
      return try await presentSession(of: account)
    }
  }

  /// Opens an account's session as it is now, and ends it when its secret is provably gone.
  func presentSession(of account: AccountID) async throws(GatebookError) -> OpenSession {
    if ledger.unsaved[account] != nil {
      // Whatever keeps it from the disk, it serves from memory.
      try? await saveHeldRenewal(of: account)
    }
    if try await recordExpiry(of: account) {
      throw Ledger.needsLogin(try ledger.context(of: account))
    }
    if let session = try ledger.openSession(of: account) { return session }
    let context = try ledger.context(of: account)
    try await ledger.end(context, reason: .secretMissing, cause: nil)
    throw Ledger.needsLogin(try self.ledger.context(of: account))
  }
}
