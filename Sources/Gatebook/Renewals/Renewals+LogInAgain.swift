extension Renewals {
  /// Logs in with what was saved, for somebody who asked for it.
  func logInAlone(
    _ account: AccountID, evenIfUsedUp: Bool
  ) async throws(GatebookError) -> LoggedIn {
    let seen = try ledger.context(of: account)
    if let loggedIn = try await grants.save(of: account) { return loggedIn }
    // What was saved may be a token that is good for one use: over all processes one uses it.
    let last = try ledger.reader.state(of: account)?.position ?? seen.position
    let lock = try await ledger.waitForLock(of: account) { () throws(GatebookError) in
      // Somebody logged in or renewed while we waited: that session is ours too.
      try isLast(seen)
    }
    guard let lock else { return LoggedIn(context: try ledger.context(of: account)) }
    defer { withExtendedLifetime(lock) {} }
    if let failed = try failure(ofLoginTo: account, since: last) { throw failed }
    return try await logInSilently(account, holding: lock, evenIfUsedUp: evenIfUsedUp)
  }

  /// Whether an account's session is the one that was seen, or has ended.
  private func isLast(_ seen: SessionContext) throws(GatebookError) -> Bool {
    let context = try ledger.context(of: seen.account)
    return !context.state.isUsable
      || (context.session == seen.session && context.generation == seen.generation)
  }

  /// Logs in with what was saved; the caller has the account's lock.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - lock: The account's.
  ///   - former: The session in whose place it logs in; `nil` where somebody asked for a login.
  ///   - isAsked: Whether somebody asked: then also what was refused is tried.
  ///   - evenIfUsedUp: Whether also what counts as used up is.
  /// - Returns: A new session: our own, of which the delegate is still to be told, or that of
  ///   somebody who was faster.
  /// - Throws: As ``SessionBook/logInAgain(_:evenIfUsedUp:)``; `session.refused` where the former
  ///   session was logged out.
  func logInSilently(
    _ account: AccountID, holding lock: AccountLock, inPlaceOf former: OpenSession? = nil,
    isAsked: Bool = true, evenIfUsedUp: Bool = false
  ) async throws(GatebookError) -> LoggedIn {
    let context = try ledger.context(of: account)
    if let former {
      // Somebody logged in or renewed meanwhile: that session is ours too.
      guard try isLast(former.context) else { return LoggedIn(context: context) }
      try checkWanted(context, isAsked)
    }
    // Read first: what is taken back after this is taken from what was saved too.
    let trusted = try challenges.trust(of: account)
    var known = try ledger.savedSession(of: account)
    // What was refused without a word: by hand it may be tried again.
    if known == nil { known = try ledger.stored(Purpose.refused, of: account) }
    guard var saved = known else { throw Self.nothingSaved }
    let person = try person(of: context, saved.proof.origin)
    guard logins.loggingIn.insert(person).inserted else { throw Logins.underWay }
    defer { logins.loggingIn.remove(person) }
    var options = LoginOptions()
    options.account = account
    options.saveCredentials = true
    options.origins = saved.origins
    options.trust = trusted
    options.allowsCleartext = saved.proof.origin.isCleartext
    options.becomesCurrent = false
    options.offlineLimit = try ledger.reader.state(of: account)?.offline.map {
      .microseconds($0.limit)
    }
    saved = await prepared(
      saved,
      for: LoginAttempt(
        session: try ledger.newSession(), started: context.position, account: account, typed: person
      ),
      options)
    var attempt = try await beginSilently(context, saved, person, evenIfUsedUp: evenIfUsedUp)
    attempt.trusted = trusted
    attempt.former = former?.session
    let conversation = try await logins.begunConversation(of: attempt, options)
    return try await finishSilently(
      await send(saved.proof, in: conversation), account, saved.proof, attempt, options, former,
      lock)
  }

  /// Whether a login that nobody asked for is still wanted.
  private func checkWanted(
    _ context: SessionContext, _ isAsked: Bool
  ) throws(GatebookError) {
    if case .ended = context.state { throw Ledger.needsLogin(context) }
    // Another one has heard the refusal while we waited.
    let isSaved = try ledger.hasSavedLogin(context.account)
    guard isAsked || isSaved else { throw Ledger.needsLogin(context) }
  }

  /// Sends what was saved; a caller that is cancelled must not lose what the server has granted for
  /// what is good for one use.
  private func send(
    _ proof: any SessionProof, in conversation: Conversation
  ) async -> AuthenticatorRun.Ending {
    // What proves a session without its jar is a login: Basic, Digest, signatures.
    let jar = CookieJar()
    let machine = proof.renewable?.renewal(jar: jar) ?? proof.verification(jar: jar)
    guard proof.isSingleUse else { return await challenges.run(machine, in: conversation) }
    return await startTask { await self.challenges.run(machine, in: conversation) }.value
  }

  private func finishSilently(
    _ ending: AuthenticatorRun.Ending, _ account: AccountID, _ proof: any SessionProof,
    _ attempt: LoginAttempt, _ options: LoginOptions, _ former: OpenSession?, _ lock: AccountLock
  ) async throws(GatebookError) -> LoggedIn {
    var (ending, attempt) = (ending, attempt)
    attempt.wasSent = ending.hasSpent
    // A program that ends now must not lose what the server has granted.
    grants.beginAnswer()
    defer { grants.endAnswer() }
    if case .success(.finished(let outcome)) = ending.result {
      if outcome.partialRenewal != nil {
        attempt.failure = .deferred(
          BackOff.longest(random: ledger.random.bytes(1)[0]), isDemanded: false)
      }
      let login = GrantedLogin(
        account: account, outcome: outcome, ending: ending, attempt: attempt, options: options,
        sent: proof)
      return try await keep(login, inPlaceOf: former, lock)
    }
    if case .failure(let error) = ending.result {
      let failure = failure(
        error, ending, of: former, sending: proof, isSpent: attempt.use > 0,
        attempt: max(1, attempt.use))
      attempt.failure = failure
      if case .terminal = failure, attempt.use > 1 {
        ending.result = .failure(Self.usedUp(error))
      } else if error.code == .sessionRefused {
        ending.result = .failure(Self.savedRefused(error))
      }
    }
    do throws(GatebookError) {
      return try await settleFinished(ending, attempt, options)
    } catch {
      // What the failure says of the next try must not be in the way of what it is.
      try? await recordWait(after: error, attempt, former)
      throw error
    }
  }

  /// Records that a session, in whose place a login has failed, is left alone for a while.
  func recordWait(
    after error: GatebookError, _ attempt: LoginAttempt, _ former: OpenSession?
  ) async throws(GatebookError) {
    guard let former, let failure = attempt.failure else { return }
    switch failure {
    case .deferred, .halted:
      _ = try await record(
        FailedRenewal(
          session: former, started: attempt.started, failure: failure, error: error))
    case .terminal, .unanswered: break
    }
  }

  func settleFinished(
    _ ending: AuthenticatorRun.Ending, _ attempt: LoginAttempt, _ options: LoginOptions
  ) async throws(GatebookError) -> LoggedIn {
    guard case .finished(let loggedIn) = try await waiting.settle(ending, attempt, options) else {
      throw Self.nothingSaved
    }
    return loggedIn
  }

  /// The person of an account, as its last login recorded it.
  private func person(
    of context: SessionContext, _ server: Origin
  ) throws(GatebookError) -> Person {
    guard let state = try ledger.reader.state(of: context.account),
      let named = try ledger.reader.event(at: state.person)?.namedUser
    else { throw Self.nothingSaved }
    return Person(
      family: Person.family(of: context.method), server: server, tenant: named.tenant,
      client: try ledger.reader.client(of: context.account) ?? "", userID: named.userID,
      loginName: named.user)
  }

  private static let nothingSaved = GatebookError(
    .sessionRefused, "The account has no saved credentials that could log it in again.",
    kept: "The account, its attributes and its history are kept.", remedy: "Log in.")
}
