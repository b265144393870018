/// What becomes of a session that its server has refused: it is renewed, logged in again with what
/// was saved, or ended. No other file decides that.
extension Renewals {
  /// The session to send a refused request with once more.
  ///
  /// A session with a refresh token is renewed. Of any other, the server is asked first, because a
  /// 401 of one resource is not the end of a session.
  ///
  /// - Parameters:
  ///   - session: The session that the request was sent with.
  ///   - reply: The answer that refused it.
  /// - Returns: The session as it is now; `nil` where the answer is for the caller.
  /// - Throws: `session.refused` for a session that ended by this; what kept the server from
  ///   answering.
  func recover(
    _ session: OpenSession, refusedBy reply: HTTPReply
  ) async throws(GatebookError) -> OpenSession? {
    let account = session.context.account
    if session.isRenewed {
      if try isRenewedInVain(session) { return nil }
      try await renew(session, .refused)
      return try await requireSession(of: account)
    }
    // The answer may have deleted cookies.
    let session =
      try ledger.openSession(of: account).flatMap { $0.session == session.session ? $0 : nil }
      ?? session
    do throws(GatebookError) {
      if try await verify(session) {
        // It may have been logged in again.
        let current = try await requireSession(of: account)
        return current.session == session.session ? nil : current
      }
    } catch  where error.code == .loginUnprovable && reply.status != 401 {
      // What an application says by a 400 or 403 may be about something of its own.
      return nil
    } catch  where error.code == .loginUnprovable {
      // Nothing proves a session of this method: the refusal is the server's last word.
      let refusal = GatebookError(
        .sessionRefused, "The server refused the session.", remedy: "Log in again.",
        status: reply.status, serverCode: reply.refusalCode)
      if try await replaceOrEnd(session, refusal) { return try await requireSession(of: account) }
    }
    if reply.status == 401 { return nil }
    throw Ledger.needsLogin(try ledger.context(of: account))
  }

  /// Whether the server has refused the access token of a renewal that is less than a minute old.
  ///
  /// Another renewal would bring nothing better. A program that may only send requests could so use
  /// up one refresh token after the other.
  private func isRenewedInVain(_ seen: OpenSession) throws(GatebookError) -> Bool {
    let account = seen.context.account
    guard seen.stored.proof.tokenBearing != nil,
      let session = try ledger.openSession(of: account), session.isStill(seen),
      session.age(at: ledger.clock.now()) < .seconds(60)
    else { return false }
    let generation = session.state.generation
    if renewedInVain[account] == generation || untried[account] == generation { return true }
    // A refused token of the login itself says nothing of renewals.
    guard session.state.isRenewedInVain else { return false }
    return try !ledger.reader.last(.refreshSucceeded, of: account, in: session.session).isEmpty
  }

  /// Renews a session that the server refuses, logs in again with what was saved, or ends it.
  ///
  /// - Returns: Whether there is a session now.
  /// - Throws: What kept the server from answering; the session is kept.
  func replaceOrEnd(
    _ session: OpenSession, _ error: GatebookError
  ) async throws(GatebookError) -> Bool {
    if session.isRenewed {
      try await renew(session, .refused)
      return true
    }
    if try await logInInstead(ofRefused: session) { return true }
    // It may have ended by that.
    guard try ledger.recordedContext(of: session.context.account).state.isUsable else {
      return false
    }
    try await endRefused(session, error)
    return false
  }

  /// Whether a terminal answer ends the session itself, and not only its renewal.
  ///
  /// - Parameters:
  ///   - failure: What the answer means.
  ///   - session: The session.
  ///   - trigger: Why it was to be renewed.
  /// - Returns: `true` for another user's answer, and where nothing is left that serves.
  func endsSession(
    _ failure: RenewalFailure, _ session: OpenSession, _ trigger: RenewalTrigger
  ) -> Bool {
    guard case .terminal(let reason) = failure else { return false }
    guard reason != .identityMismatch, trigger != .refused else { return true }
    let now = ledger.clock.now()
    return !session.isServing(at: now)
  }

  /// Ends a session that the server refused; for the reason that ended its renewal before, if it
  /// did.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - error: The refusal.
  /// - Throws: Storage failures.
  private func endRefused(
    _ session: OpenSession, _ error: GatebookError
  ) async throws(GatebookError) {
    let refusal = try ledger.refusedToken(of: session.state)
    let end = session.state.renewalEnd
    let isEnded = try await ledger.end(
      session.context, reason: end?.reason ?? .refused, cause: end?.position, error: error)
    if isEnded, let refusal { announce(refusal) }
  }
}
