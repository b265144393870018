extension Renewals {
  /// Begins the renewals that are due: nobody has to use a session for that.
  ///
  /// What is held back after a failure stays so. A session that nothing can renew is left alone;
  /// so is one whose access token is over, if a refusal would lead to a login with what was saved:
  /// only a use logs in.
  ///
  /// - Returns: How long nothing else can become due.
  /// - Throws: Storage failures.
  func renewAhead(
    isolation: isolated (any Actor)? = #isolation
  ) throws(GatebookError) -> Duration {
    var pause = Self.longestPause
    guard !isClosing else { return pause }
    for context in try ledger.reader.accounts() where context.state.isUsable {
      do throws(GatebookError) {
        guard let session = try ledger.openSession(of: context.account), session.isRenewed,
          let proof = session.stored.proof.renewable
        else { continue }
        let now = ledger.clock.now()
        if proof.needsRenewal(atAge: session.oldestAge(at: now)) {
          if running[context.account] == nil, try heldBack(session, .early) == nil,
            try canRenewAhead(session, at: now)
          {
            renewal(of: session, .early)
          }
          // It may fail, and be due again.
          pause = min(pause, Self.retryPause)
        } else if let end = session.bearer(at: now)?.expiresAt {
          // A fiftieth of the rest is late by no more than a tenth of the last fifth.
          pause = min(pause, (end - now.wall) / 50)
        }
      } catch {
        // What is wrong with one account keeps no other from its renewal.
        pause = min(pause, Self.retryPause)
      }
    }
    return max(pause, Self.shortestPause)
  }

  private func canRenewAhead(
    _ session: OpenSession, at now: Moment
  ) throws(GatebookError) -> Bool {
    if session.isServing(at: now) { return true }
    return try savedLogin(inPlaceOf: session) == nil
  }

  private static let shortestPause = Duration.seconds(1)
  private static let retryPause = Duration.seconds(5)
  private static let longestPause = Duration.seconds(60)
}
