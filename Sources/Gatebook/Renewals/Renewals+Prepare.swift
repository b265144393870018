extension Renewals {
  /// An account's session as it is in memory, if it may be used as it is.
  ///
  /// - Returns: `nil` if anything has to be read, written, renewed or asked first.
  /// - Throws: `storage` failures.
  func readySession(of account: AccountID, at now: Moment) throws(GatebookError) -> LastRead? {
    guard ledger.held[account] == nil, let last = try ledger.unchanged(account),
      last.session.isReady(at: now), !questioned.contains(last.session.session)
    else { return nil }
    return last
  }

  /// Brings a session into the state in which it may be used: renewed where that is due, and
  /// verified where it was resumed or its offline limit comes near.
  func prepare(_ session: OpenSession) async throws(GatebookError) -> OpenSession {
    let session = try await renewIfDue(session)
    guard session.needsConfirmation(at: ledger.clock.now()) else {
      return try await settlingQuestion(try await checkingRenewed(session))
    }
    return try await confirmed(session)
  }

  /// The session after its server has confirmed it.
  ///
  /// A method without a way to ask, or a page in trouble, leaves the session as it is.
  func confirmed(_ session: OpenSession) async throws(GatebookError) -> OpenSession {
    do throws(GatebookError) {
      try await requireVerified(session)
    } catch  where error.code == .loginUnprovable || Self.isTroubleOfOnePage(error.code) {
      return session
    }
    return try await requireSession(of: session.context.account)
  }

  /// Renews a session that is nearly over, or logs it in again where nothing else does; while that
  /// fails, what it has serves until its end.
  func renewIfDue(_ session: OpenSession) async throws(GatebookError) -> OpenSession {
    let account = session.context.account
    guard let proof = session.stored.proof.renewable else { return session }
    let now = ledger.clock.now()
    var isUrgent = proof.isRenewalUrgent(atAge: session.age(at: now))
    let isDue = proof.needsRenewal(atAge: session.oldestAge(at: now))
    if !isDue || session.state.renewalEnd != nil {
      // What has nothing to renew it with serves until its end; then what was saved logs in.
      guard session.isNearlyOver(at: now), try canLogInInstead(of: session) else {
        return session
      }
      isUrgent = true
    }
    let trigger: RenewalTrigger = isUrgent ? .needed : .early
    let failure = try heldBack(session, trigger)
    if !isUrgent {
      guard failure == nil else { return session }
      guard ledger.renewalPolicy == .beforeUse else {
        renewal(of: session, .early)
        return session
      }
    }
    do throws(GatebookError) {
      if let failure { throw failure }
      if isUrgent {
        try await renew(session, trigger)
      } else {
        try await renewWhileServing(session)
      }
      return try await requireSession(of: account)
    } catch {
      // While a renewal fails for a reason that may pass, what still lives serves until its end.
      // What the caller or the app has decided is no such reason.
      guard !AuthenticatorRun.isFinal(error.code), session.isServing(at: ledger.clock.now()) else {
        throw error
      }
      // One that ended, while what is to take its place only met trouble, may come back.
      if try !ledger.context(of: account).state.isUsable, Self.mayPass(error.code) { throw error }
      guard let current = try ledger.openSession(of: account) else { throw error }
      return current
    }
  }

  /// Renews a session that still serves, and waits for that no longer than it does: the answer is
  /// taken all the same, but who asked must not be left with nothing by a server that is slow.
  private func renewWhileServing(_ session: OpenSession) async throws(GatebookError) {
    let renewing = renewal(of: session, .early)
    let ending = FirstValue<Result<Void, GatebookError>>()
    _ = startTask { await ending.give(await renewing.value) }
    let watch = startTask {
      while !Task.isCancelled {
        guard !session.isNearlyOver(at: self.ledger.clock.now()) else {
          return await ending.give(.success(()))
        }
        await self.ledger.clock.pause(for: .milliseconds(100))
      }
    }
    defer { watch.cancel() }
    try await ending.value(cancelled: .failure(GatebookError.cancelledByCaller)).get()
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

  /// A session asks its server about an answer 400 at most once in this time.
  private static let questionInterval = Duration.seconds(60)

  /// Asks the server whether a session is still valid, where it has answered 400 to a request: some
  /// servers answer so to a token that they have forgotten.
  ///
  /// Asked at most once a minute. A server that cannot be asked, or gives no answer, keeps nobody
  /// from using the session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - tellsAll: Whether the caller hears, too, why the question is still open.
  /// - Returns: The session as it is then.
  /// - Throws: Why the session has ended by the answer.
  func settlingQuestion(
    _ session: OpenSession, tellsAll: Bool = false
  ) async throws(GatebookError) -> OpenSession {
    let account = session.context.account
    guard isQuestioned(session), mayAsk(about: session) else { return session }
    do throws(GatebookError) {
      try await requireVerified(session)
      // Confirmed, renewed or logged in again: either way it is answered.
      questioned.remove(session.session)
    } catch {
      // Only an answer that ends the session is about the session.
      guard try ledger.recordedContext(of: account).state.isUsable else { throw error }
      if tellsAll || error.code == .cancelled { throw error }
    }
    return try await requireSession(of: account)
  }

  /// Whether the server has answered 400 to a request and has not confirmed the session since.
  func isQuestioned(_ session: OpenSession) -> Bool {
    session.state.isQuestioned || questioned.contains(session.session)
  }

  /// Whether the server may be asked about a session; it counts as asked then.
  private func mayAsk(about session: OpenSession) -> Bool {
    let now = ledger.clock.now()
    if let last = questions[session.session], now.boot >= last,
      now.boot - last < Self.questionInterval
    {
      return false
    }
    // Another program may have asked.
    if !session.state.isQuestioned, let last = session.state.verifiedAt, last <= now.wall,
      now.wall - last < Self.questionInterval
    {
      return false
    }
    questions[session.session] = now.boot
    return true
  }
}
