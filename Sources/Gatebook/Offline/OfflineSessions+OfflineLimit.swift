extension OfflineSessions {
  /// An account's session that may be resumed without the network; one that was offline for longer
  /// than its limit ends.
  ///
  /// - Throws: `session.refused` when only a login helps, also where the end could not be written.
  func resumable(_ account: AccountID) async throws(GatebookError) -> OpenSession {
    let session = try await renewals.requireSession(of: account, mayLogIn: false)
    guard session.isOfflineTooLong(at: ledger.clock.now()) else { return session }
    do throws(GatebookError) {
      try await endOffline(session)
    } catch  where Ledger.isUnwritable(error.code) {
      throw Self.offlineTooLong
    }
    return try await unlessEnded(account, mayLogIn: false)
  }

  /// A session that may be used now: one that is past its offline limit must be confirmed first,
  /// and ends without that.
  ///
  /// The server is asked, and not the clock alone: an app that was closed for long, and is online
  /// again, has done nothing that the limit is there against.
  ///
  /// - Throws: `session.refused` when the session ended; `cancelled`, a decision of the person, and
  ///   storage failures end nothing.
  func enforceOfflineLimit(_ session: OpenSession) async throws(GatebookError) -> OpenSession {
    guard session.isOfflineTooLong(at: ledger.clock.now()) else { return session }
    do throws(GatebookError) {
      // A renewal is a confirmation too.
      let current = try await renewals.renewIfDue(session)
      guard current.isOfflineTooLong(at: ledger.clock.now()) else { return current }
      try await renewals.requireVerified(current)
    } catch
      where !AuthenticatorRun.isFinal(error.code) && !Ledger.isStorageOrKeyFailure(error.code)
    {
      // Where the server has refused, its word is the reason.
      guard try ledger.recordedContext(of: session.context.account).state.isUsable else {
        throw error
      }
      try await endOffline(session)
    }
    return try await unlessEnded(session.context.account)
  }

  /// Ends a session for its limit: the server knows nothing of that, and is to be told of its
  /// tokens.
  ///
  /// Any other logout there may name more than this session, and come after the next login.
  private func endOffline(_ session: OpenSession) async throws(GatebookError) {
    _ = try await outbox.end(
      session.context, reason: .offlineTooLong, cause: session.state.verified,
      leaving: session.stored.proof.tokenBearing == nil ? nil : outbox.serverLogout(of: session))
  }

  /// The same for an account whose session may not have begun; ended sessions are reported
  /// elsewhere.
  func enforceOfflineLimit(ofAccount account: AccountID?) async throws(GatebookError) {
    guard let account, try ledger.recordedContext(of: account).state.isUsable,
      let session = try ledger.openSession(of: account)
    else { return }
    _ = try await enforceOfflineLimit(session)
  }

  /// The session as it is after an attempt to end it: somebody may have renewed it meanwhile.
  private func unlessEnded(
    _ account: AccountID, mayLogIn: Bool = true
  ) async throws(GatebookError) -> OpenSession {
    guard try ledger.recordedContext(of: account).state == .needsLogin(.offlineTooLong) else {
      return try await renewals.requireSession(of: account, mayLogIn: mayLogIn)
    }
    throw Self.offlineTooLong
  }

  private static let offlineTooLong = GatebookError(
    .sessionRefused,
    "The server has not confirmed the session for longer than its login allows.",
    kept: "The account, its attributes and its history are kept.", remedy: "Log in again.")
}
