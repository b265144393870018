/// What the user saved, in the place of a renewal: "then saved credentials if the user allowed it"
/// (rule 2).
extension Renewals {
  /// Saved credentials that can replace a session's renewal.
  ///
  /// - Returns: `nil` for nothing, for what the session's own renewal uses up, and for methods
  ///   whose sessions are no tokens: theirs are renewed by their own rules.
  func savedLogin(
    inPlaceOf session: OpenSession
  ) throws(GatebookError) -> StoredSession? {
    guard session.stored.proof.tokenBearing != nil,
      let saved = try ledger.savedSession(of: session.context.account),
      saved.proof.renewable?.renewal(jar: CookieJar()) != nil,
      !saved.proof.isSpent(with: session.stored.proof)
    else { return nil }
    return saved
  }

  /// Whether that may be used without being asked: none of it was refused.
  func canLogInInstead(of session: OpenSession) throws(GatebookError) -> Bool {
    guard try ledger.reader.state(of: session.context.account)?.logsInAgain == true else {
      return false
    }
    return try savedLogin(inPlaceOf: session) != nil
  }

  /// Logs in where a session cannot be renewed; does nothing where nothing was saved for that.
  ///
  /// Refused credentials are not sent again unasked: a server may lock the account after several
  /// wrong passwords. A session that stays uncertain then ends when its tokens expire.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - error: Why it cannot be renewed; `nil` where it has nothing to renew it with.
  ///   - isAsked: Whether somebody asked for it.
  ///   - lock: The account's.
  ///   - news: Takes what the delegate is to be told when the renewal has ended: it may use the
  ///     account.
  /// - Throws: That error, where there is one; `session.refused` where the session ended by this.
  func logInInstead(
    of session: OpenSession, after error: GatebookError? = nil, isAsked: Bool = false,
    holding lock: AccountLock, telling news: inout [LoginNews]
  ) async throws(GatebookError) {
    let account = session.context.account
    guard let saved = try savedLogin(inPlaceOf: session) else {
      if let error { throw error }
      return
    }
    var failure = error
    let isSaved = try ledger.hasSavedLogin(account)
    if isAsked || isSaved {
      if let failed = try self.failure(ofLoginTo: account, since: session.state.position) {
        throw error ?? failed
      }
      if !isAsked, let wait = try heldBack(saved, of: account) {
        if let error { throw error }
        throw wait
      }
      // The login's outcome replaces the renewal's.
      do throws(GatebookError) {
        news = try await logInSilently(
          account, holding: lock, inPlaceOf: session, isAsked: isAsked
        ).news
        return
      } catch let second {
        news = [.failed(second)]
        // Where the session is over, what matters is why nothing has taken its place.
        let isUsable = try ledger.context(of: account).state.isUsable
        let kept = isUsable ? GatebookError.sessionKept : Self.refusedBefore
        failure = error.map { Self.isOver($0) ? second.keeping(kept) : $0 } ?? second
        // Somebody else at the person's server: that a login is needed says too little then.
        if second.code == .identityMismatch {
          try? await endWithoutLogin(session, isTold: false)
          guard error != nil else { throw second }
          let isUsable = try ledger.context(of: account).state.isUsable
          throw second.keeping(isUsable ? GatebookError.sessionKept : Self.endedBefore)
        }
      }
    }
    // The delegate hears of one end.
    try await endWithoutLogin(session, isTold: news.isEmpty)
    if let failure { throw failure }
  }

  private static func isOver(_ error: GatebookError) -> Bool {
    [.tokenRefused, .sessionRefused].contains(error.code)
  }

  private static let refusedBefore =
    "The session has ended, because the server refuses its refresh token. The account, its attributes and its "
    + "saved credentials are kept."

  private static let endedBefore =
    "The session has ended, because nothing can renew it. The account, its attributes and its saved "
    + "credentials are kept."

  /// Logs in where a session was refused and the login in its place met trouble: what was saved is
  /// sent again as a renewal would be, and no oftener.
  ///
  /// - Parameter account: The account.
  /// - Returns: Whether there is a session now; `false` where nothing is to be tried.
  /// - Throws: What keeps the server from answering, or `server.unavailable` for as long as it is
  ///   left alone; the refusal of what was saved.
  func logInAfterTrouble(_ account: AccountID) async throws(GatebookError) -> Bool {
    let context = try ledger.context(of: account)
    guard case .needsLogin(let reason) = context.state, Self.leavesLogin(reason),
      try ledger.hasSavedLogin(account), let saved = try ledger.savedSession(of: account),
      saved.proof.tokenBearing != nil
    else { return context.state.isUsable }
    if let wait = try heldSecondUse(ofSaved: saved, account) { throw wait }
    // How somebody's own login failed says nothing of what was saved.
    let uses = Set(
      try ledger.events(.credentialsLoaded, of: account, since: context.position).map(\.session))
    let failures = try ledger.events(.loginFailed, of: account, since: context.position).filter {
      uses.contains($0.session)
    }
    if let last = failures.last, let failed = last.facts(of: LoginFailed.self) {
      let code = failed.failure.code ?? FailureCode(rawValue: "")
      // An unclear refusal of a token may pass; a password is not sent again after one.
      let isRefusal = [.serverRefused, .configurationInvalid].contains(code)
      guard Self.mayPass(code) || (isRefusal && !saved.proof.renewsByPassword) else { return false }
      let wait = BackOff.wait(
        after: Int64(failures.count - 1), random: .max,
        demanded: failed.retryAfter,
        limit: isRefusal ? BackOff.limitOfRefusals : BackOff.limit)
      let left = last.at + wait - ledger.clock.now().wall
      // A clock that was set back keeps nobody waiting for longer than that.
      guard left <= .zero || left > wait else { throw Self.heldBack(for: left) }
    }
    _ = await logins.told(try await logInAlone(account, evenIfUsedUp: false))
    return true
  }

  /// Whether a session that ended so is one in whose place a saved login is tried.
  private static func leavesLogin(_ reason: EndReason) -> Bool {
    [.refused, .refusedWithoutReason, .refusedAfterUnknownOutcome].contains(reason)
  }

  /// Whether a failure may pass without a change.
  static func mayPass(_ code: FailureCode) -> Bool {
    [.serverUnavailable, .networkUnreachable, .contentUnexpected, .outcomeUnknown].contains(code)
  }

  private static func heldBack(for left: Duration) -> GatebookError {
    GatebookError(
      .serverUnavailable,
      "A login with saved credentials failed. Gatebook does not try again automatically for another "
        + "\(max(1, left.components.seconds)) s.",
      kept: "The account and its saved credentials are kept.", remedy: "Try again after that time.")
  }

  /// How a login with what was saved failed that somebody else tried while we waited for our turn:
  /// what hundreds wait to send is sent once.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - seen: The account's last event when we began to wait.
  /// - Returns: `nil` where nobody has tried.
  /// - Throws: Storage failures.
  func failure(
    ofLoginTo account: AccountID, since seen: Position
  ) throws(GatebookError) -> GatebookError? {
    guard let use = try ledger.reader.state(of: account)?.savedUse, !use.isOpen,
      use.position > seen,
      // Also how a renewal was refused, which used up what was saved.
      let failure = try ledger.reader.event(at: use.position)?.failure,
      let code = failure.code
    else { return nil }
    return failure.told(
      code, "Another program just failed to log the account in again.",
      kept: "The account, its attributes and its saved credentials are kept.",
      remedy: "Try again later.")
  }

  /// Logs in where the server refused a session.
  ///
  /// - Returns: `false` where nothing was saved for that, or the server has refused it too.
  /// - Throws: What kept the server from answering.
  func logInInstead(ofRefused session: OpenSession) async throws(GatebookError) -> Bool {
    guard try canLogInInstead(of: session) else { return false }
    do throws(GatebookError) {
      try await renew(session, .refused)
      return true
    } catch {
      guard try !canLogInInstead(of: session) else { throw error }
      return false
    }
  }

  /// Records the end of a session that nothing can renew, after saved credentials were refused: it
  /// has expired, or stays uncertain and has nothing left.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - isTold: Whether to tell the login delegate.
  /// - Throws: `session.refused` when it ended.
  private func endWithoutLogin(
    _ session: OpenSession, isTold: Bool
  ) async throws(GatebookError) {
    let account = session.context.account
    guard let state = try ledger.reader.state(of: account), state.isStill(session),
      !state.logsInAgain
    else { return }
    if try await recordExpiry(of: account, isTold: isTold) {
      throw Ledger.needsLogin(try ledger.context(of: account))
    }
    let now = ledger.clock.now()
    guard state.state == .uncertain, state.unanswered >= SavedUse.maximumUses,
      !session.isServing(at: now)
    else { return }
    try await ledger.end(
      session.context, reason: .refusedAfterUnknownOutcome, cause: state.savedUse?.position)
    throw Ledger.needsLogin(try ledger.context(of: account))
  }
}
