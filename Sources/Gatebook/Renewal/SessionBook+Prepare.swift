extension SessionBook {
  /// Brings a session into the state in which it may be used: renewed where that is due, and
  /// verified where it was resumed or its offline limit comes near.
  func prepare(_ session: OpenSession) async throws(GatebookError) -> OpenSession {
    let account = session.context.account
    let session = try await renewIfDue(session)
    guard session.wantsWord(at: clock.now()) else { return session }
    do throws(GatebookError) {
      if try await !verify(session) { throw Self.needsLogin(try context(of: account)) }
    } catch  where error.code == .loginUnprovable || Self.isTroubleOfOnePage(error.code) {
      return session
    }
    return try await requireSession(of: account)
  }

  /// Renews a session that is nearly over, or logs it in again where nothing else does; while that
  /// fails, what it has serves until its end.
  func renewIfDue(_ session: OpenSession) async throws(GatebookError) -> OpenSession {
    let account = session.context.account
    let proof = session.stored.proof
    let now = clock.now()
    let renewed = session.renewed(at: now)
    var isUrgent = proof.isRenewalUrgent(since: renewed, at: now)
    if !proof.needsRenewal(since: session.oldestRenewed(at: now), at: now) {
      // What has nothing to renew it with serves until its end; then what was saved logs in.
      guard proof.isNearlyOver(since: renewed, at: now), try canLogInInstead(of: session) else {
        return session
      }
      isUrgent = true
    }
    if !isUrgent {
      guard session.mayRenewByItself(at: now, isUrgent: false) else { return session }
      guard renewalPolicy == .beforeUse else {
        renewal(of: session, .early)
        return session
      }
    }
    do throws(GatebookError) {
      guard session.mayRenewByItself(at: now, isUrgent: isUrgent) else {
        throw Self.renewalWaits(session, now)
      }
      try await renew(session, isUrgent ? .needed : .early)
      return try await requireSession(of: account)
    } catch {
      // While a renewal fails for a reason that may pass, what still lives serves until its end.
      // What the caller or the app has decided is no such reason.
      guard !AuthenticatorRun.isFinal(error.code), proof.isUsable(since: renewed, at: now),
        let current = try openSession(of: account)
      else { throw error }
      return current
    }
  }

  /// Whether only the page that proves a session is in trouble: the one that was asked for need not
  /// be.
  ///
  /// A redirect or another content is no such trouble: it is how a strange network answers.
  private static func isTroubleOfOnePage(_ code: FailureCode) -> Bool {
    // Somebody in front asks for what nobody can answer: then that answer is the caller's.
    [
      .serverUnavailable, .serverRefused, .configurationInvalid, .limitExceeded,
      .challengeUnhandled,
    ].contains(code)
  }

  /// Why nothing is sent now.
  static func renewalWaits(_ session: OpenSession, _ now: Moment) -> GatebookError {
    guard let until = session.state.deferral?.until else {
      return GatebookError(
        .configurationInvalid,
        "The server did not take Gatebook's renewals, and trying again alone cannot help.",
        kept: "The session is kept.",
        remedy: "Check the client's settings, then ask for a refresh or log in again.")
    }
    let seconds = max(1, (until - now.wall).components.seconds)
    return GatebookError(
      .serverUnavailable, "The server asked to be left alone for another \(seconds) s.",
      kept: "The session is kept.", remedy: "Try again then.")
  }
}

extension OpenSession {
  /// Whether a renewal may be sent without being asked for, after others have failed.
  ///
  /// - Parameters:
  ///   - now: Now.
  ///   - isUrgent: Whether somebody waits for it: then only a time that the server named counts.
  /// - Returns: `false` while the wait lasts, and where no time helps.
  func mayRenewByItself(at now: Moment, isUrgent: Bool) -> Bool {
    guard let deferral = state.deferral else { return true }
    if deferral.isHalted { return false }
    // A wall clock that was set back must not keep a session from being renewed.
    guard let until = deferral.until, now.wall < until, now.wall >= deferral.at else {
      return true
    }
    return isUrgent && !deferral.isDemanded
  }
}
