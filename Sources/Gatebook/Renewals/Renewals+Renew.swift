extension Renewals {
  /// Renews a session by what its proof keeps, a password or a refresh token: once at a time for
  /// each account, over all tasks and processes.
  ///
  /// A caller that waited for another renewal gets its result or failure. A cancelled caller stops
  /// waiting; the renewal continues, because its answer must not be lost. Saved credentials, if
  /// any, log in again for a session that has no refresh token, was refused for good, or stays
  /// uncertain.
  func renew(
    _ session: OpenSession, _ trigger: RenewalTrigger
  ) async throws(GatebookError) {
    let task = renewal(of: session, trigger)
    let ending = FirstValue<Result<Void, GatebookError>>()
    _ = startTask { await ending.give(await task.value) }
    try await ending.value(cancelled: .failure(GatebookError.cancelledByCaller)).get()
  }

  /// The renewal of an account that is under way, or a new one.
  ///
  /// Who begins it waits until the login delegate has heard of a login that took its place; for
  /// others it is over before, so the delegate may use the account.
  @discardableResult
  func renewal(
    of session: OpenSession, _ trigger: RenewalTrigger,
    isolation: isolated (any Actor)? = #isolation
  ) -> Task<Result<Void, GatebookError>, Never> {
    let account = session.context.account
    if let running = running[account] { return startTask { await running.value.result } }
    // An answer to a renewal that begins now could not be written.
    if isClosing { return startTask { .failure(Self.closing) } }
    let task = startTask {
      defer { self.running[account] = nil }
      var news: [LoginNews] = []
      let result = await Result { () async throws(GatebookError) in
        try await self.renewOrLogIn(session, trigger, telling: &news)
      }
      return RenewalEnding(result: result, news: news)
    }
    running[account] = task
    return startTask {
      let ending = await task.value
      await self.logins.tell(ending.news)
      return ending.result
    }
  }

  /// Renews a session under its account's lock, or logs in instead: who waits for the lock finds a
  /// session, or that there is none.
  private func renewOrLogIn(
    _ session: OpenSession, _ trigger: RenewalTrigger, telling news: inout [LoginNews]
  ) async throws(GatebookError) {
    let lock = try await takeLock(for: session)
    // Another one may have tried while we waited: what that brought is ours, and so is its failure.
    if let failure = try failure(after: session) { throw failure }
    guard let lock else { return }
    let account = session.context.account
    renewing.insert(account)
    defer {
      renewing.remove(account)
      withExtendedLifetime(lock) {}
    }
    if let failure = try heldBack(session, trigger) { throw failure }
    if let error = try refusedBefore(session, trigger) {
      guard trigger != .early else { throw error }
      return try await logInInstead(
        of: session, after: error, isAsked: trigger.isAsked, holding: lock, telling: &news)
    }
    guard session.stored.proof.renewable?.renewal(jar: session.jar) != nil else {
      return try await logInInstead(
        of: session, isAsked: trigger.isAsked, holding: lock, telling: &news)
    }
    do throws(GatebookError) {
      try await renewAlone(session, trigger, lock, telling: &news)
    } catch {
      // What a server has granted is written before anything else is asked of it.
      guard ledger.held[session.context.account] == nil,
        try leavesLogin(error, session, trigger)
      else { throw error }
      try await logInInstead(of: session, after: error, holding: lock, telling: &news)
    }
  }

  /// Whether a renewal that failed leaves only a login, by what was saved if there is anything.
  private func leavesLogin(
    _ error: GatebookError, _ session: OpenSession, _ trigger: RenewalTrigger
  ) throws(GatebookError) -> Bool {
    switch error.code {
    case .outcomeUnknown: return true
    case .tokenRefused:
      // Before it is needed what still serves is not replaced.
      guard trigger == .early else { return true }
      return try !ledger.context(of: session.context.account).state.isUsable
    case .sessionRefused:
      // Somebody else has heard that the server refused it, and lets us log in instead.
      guard case .needsLogin = try ledger.context(of: session.context.account).state else {
        return false
      }
      return true
    default:
      // The second use was the last one, whatever became of it (rule 2).
      guard !AuthenticatorRun.isFinal(error.code), !Ledger.isStorageOrKeyFailure(error.code),
        let state = try ledger.reader.state(of: session.context.account)
      else { return false }
      return state.isStill(session) && state.unanswered >= SavedUse.maximumUses
    }
  }

  private func renewAlone(
    _ seen: OpenSession, _ trigger: RenewalTrigger, _ lock: AccountLock,
    telling news: inout [LoginNews]
  ) async throws(GatebookError) {
    var ready: Moment?
    for turn in 1... {
      guard var session = try await current(seen) else { return }
      if let orphan = session.state.intent, session.stored.proof.isSingleUse {
        try await doubt(session, attempt: orphan.attempt, cause: orphan.position)
        continue
      }
      if session.stored.proof.isSingleUse, try await doubtSavedUse(of: session) { continue }
      guard session.state.unanswered < SavedUse.maximumUses || trigger == .insisted else {
        throw Self.unknownOutcome
      }
      // An orphan that was found just now is a lost answer too.
      if turn > 1, let failure = heldSecondUse(session, trigger) { throw failure }
      if ready == nil {
        // Before the intent: what is found out now uses nothing up.
        try await prepareRenewal(of: session)
        guard let prepared = try await current(seen) else { return }
        session = prepared
      }
      let begun = ready ?? ledger.clock.now()
      ready = begun
      guard let machine = session.stored.proof.renewable?.renewal(jar: session.jar) else { return }
      let owner = try ledger.reader.owner(of: session.context.account)
      guard let started = try await begin(session, trigger) else { return }
      let ending = await challenges.run(machine, in: challenges.conversation(of: session))
      // Whatever becomes of this, the renewal's own answer must not be lost.
      try? await challenges.keep(ending.conversation, session)
      switch ending.outcome {
      case .success(let outcome):
        do throws(GatebookError) {
          try await finish(session, outcome, started, ending.conversation, lock, of: owner)
          try await checkRenewed(session.context.account)
        } catch  where error.code == .identityMismatch {
          if try isEnded(session, .identityMismatch) { news = [.failed(error)] }
          throw error
        }
        if let partialRenewal = outcome.partialRenewal { throw partialRenewal }
        return
      case .failure(let error):
        let failure = failure(
          error, ending, of: session, sending: session.stored.proof,
          isSpent: session.stored.proof.isSingleUse, attempt: session.state.unanswered + 1,
          isRepeated: turn > 1)
        let endsSession = endsSession(failure, session, trigger)
        let left = outbox.unclaimed(ending.unclaimed, of: session, isEnding: endsSession)
        // What may be spent is sent once more, whatever the answer to that is.
        let isLast =
          session.stored.proof.isSingleUse && session.state.unanswered > 0 && ending.hasSpent
        let failed = FailedRenewal(
          session: session, started: started, failure: failure, error: error, isLast: isLast,
          isRepeated: turn > 1, endsSession: endsSession)
        guard try await record(failed, leaving: left) else {
          return try await adopt(session, error, started)
        }
        if endsSession { news = [.failed(failure.worded(error))] }
        guard !AuthenticatorRun.isFinal(error.code), !isLast,
          let wait = retry(
            failure, error.code, turn, trigger, session, isAnswered: ending.reply != nil,
            since: begun)
        else { throw failure.worded(error, isLast: isLast, endsSession: endsSession) }
        await ledger.clock.sleep(for: wait)
      }
    }
  }

  /// Whether a session has ended for a reason.
  private func isEnded(
    _ session: OpenSession, _ reason: EndReason
  ) throws(GatebookError) -> Bool {
    let state = try ledger.reader.state(of: session.context.account)
    return state?.session == session.session && state?.state == .needsLogin(reason)
  }

  /// The session as it is now; `nil` if it was renewed, ended or replaced since it was seen.
  private func current(_ seen: OpenSession) async throws(GatebookError) -> OpenSession? {
    let session = try await presentSession(of: seen.context.account)
    return session.isStill(seen) ? session : nil
  }

  /// Waits until nobody else renews the session; `nil` when somebody has done it.
  private func takeLock(for seen: OpenSession) async throws(GatebookError) -> AccountLock? {
    let account = seen.context.account
    return try await ledger.waitForLock(of: account) { () throws(GatebookError) in
      guard try ledger.reader.state(of: account)?.isStill(seen) ?? true else { return false }
      // With the lock or without it: nothing has been sent yet.
      if isClosing { throw Self.closing }
      return true
    }
  }

  /// How often, and for how long, a renewal is tried while somebody waits for it.
  private static let patience = (tries: 3, time: Duration.seconds(2))

  /// How long to wait before the next try; `nil` when there is none: only a token is ever tried
  /// again, never a password, and only while somebody waits.
  ///
  /// The wait that is recorded grows with each failure and is for those whom nobody waits for.
  private func retry(
    _ failure: RenewalFailure, _ code: FailureCode, _ turn: Int, _ trigger: RenewalTrigger,
    _ session: OpenSession, isAnswered: Bool, since begun: Moment
  ) -> Duration? {
    guard turn < Self.patience.tries, trigger != .early, !isClosing,
      session.stored.proof.isSingleUse
    else { return nil }
    switch failure {
    case .deferred(_, isDemanded: false) where RenewalFailure.isTrouble(code):
      let wait = BackOff.wait(after: Int64(turn - 1), random: ledger.random.bytes(1)[0])
      return ledger.clock.now().boot - begun.boot + wait < Self.patience.time ? wait : nil
    // A lost answer waits for the network; one that cannot be read proves it.
    case .unanswered where isAnswered && session.state.unanswered + 1 < SavedUse.maximumUses:
      return BackOff.wait(after: 0, random: 0)
    case .deferred, .unanswered, .halted, .terminal: return nil
    }
  }

  /// How a renewal failed that somebody else tried while we waited for our turn: hundreds that wait
  /// need not all ask in turn what was just not answered.
  private func failure(after seen: OpenSession) throws(GatebookError) -> GatebookError? {
    let account = seen.context.account
    guard let state = try ledger.reader.state(of: account) else { return nil }
    var last: Failure?
    if state.deferral != nil {
      last = try ledger.events(.refreshDeferred, of: account, since: seen.state.position).last?
        .facts(of: RefreshDeferred.self)?.failure
    }
    if last == nil, state.unanswered > 0, state.isStill(seen) {
      // Who only found an orphan has sent nothing.
      last = try ledger.events(.sessionUncertain, of: account, since: seen.state.position)
        .compactMap { $0.facts(of: SessionUncertain.self)?.failure }.last { $0.code != nil }
    }
    guard let last else { return nil }
    return last.told(
      last.code ?? .serverUnavailable, "Another program just failed to renew this session.",
      kept: "The session is kept.", remedy: "Try again later.")
  }

  private static let closing = GatebookError(
    .storageUnreadable, "The book is being closed.", kept: "The session is kept.",
    remedy: "Open the book again.")

  static let unknownOutcome = GatebookError(
    .outcomeUnknown,
    "The refresh token was sent twice, and no usable answer came. It may already have been used.",
    kept: "The session is kept; its access token works until it expires.",
    remedy: "Log in again, or try once more with `SessionBook.renewNow(_:evenIfUsedUp:)`.")
}
