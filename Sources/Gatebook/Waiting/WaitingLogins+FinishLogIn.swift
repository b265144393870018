extension WaitingLogins {
  /// Finishes a login, and tells the delegate where that fails.
  func finishAndTell(
    _ login: WaitingLogin, with fields: FormFields
  ) async throws(GatebookError) -> SessionContext {
    do throws(GatebookError) {
      return try await finish(login, with: fields)
    } catch {
      await tell(error, of: login.attempt.session)
      throw error
    }
  }

  /// Tells the delegate how a login failed, unless a `logIn` waits for it, which will.
  func tell(_ error: GatebookError, of login: SessionID) async {
    guard !visiting.contains(login) else { return }
    await logins.tell([.failed(error)])
  }

  /// The login that a redirect belongs to, and what the redirect says.
  ///
  /// - Throws: `state.mismatch` or `content.unexpected` for a redirect of no login.
  func waitingLogin(
    for redirect: String
  ) async throws(GatebookError) -> (login: WaitingLogin, fields: FormFields) {
    guard let arrived = ArrivedRedirect(redirect) else {
      throw try await refused(
        GatebookError(
          .contentUnexpected, "The redirect is not a URI.",
          kept: "Waiting logins keep waiting.", remedy: "Pass the whole URI."))
    }
    let here = try waitingLogins().compactMap { login in
      login.redirect.flatMap { arrived.isAt($0) ? (login: login, redirect: $0) : nil }
    }
    guard !arrived.fields.hasRepetition else {
      throw try await refused(
        GatebookError(
          .contentUnexpected, "The redirect has a duplicate parameter.",
          kept: "Waiting logins keep waiting.",
          remedy:
            "If the redirect came from the server, log in again."))
    }
    if let own = here.first(where: { arrived.answers($0.redirect) }) {
      return (own.login, arrived.fields)
    }
    // Where one login waits alone, a refusal can be of no other. Who forges one gains nothing by
    // it.
    if here.count == 1, arrived.isNamelessRefusal(of: here[0].redirect) {
      let name = FormFields.Field(here[0].redirect.key, here[0].redirect.value)
      return (here[0].login, FormFields([name] + arrived.fields.fields))
    }
    throw try await refused(try unknown(arrived))
  }

  /// What is said of a redirect that no login awaits: it belongs to none, or to one that has ended.
  private func unknown(_ arrived: ArrivedRedirect) throws(GatebookError) -> GatebookError {
    let names = try ["state", "oauth_token"].compactMap { arrived.fields[$0] }
      .map { (value) throws(GatebookError) in try fingerprint(ofRedirect: value) }
    guard !names.isEmpty else { return Self.unknownRedirect }
    for kind in [EventKind.challengeAnswered, .challengeFailed] {
      let filter = EventFilter(kind: kind.rawValue, limit: Self.mostAnswers)
      guard
        try ledger.reader.events(filter).contains(where: { event in
          // Both kinds say it in the same facts.
          let told = ChallengeFailed(event.data)
          return told.challenge.scheme == "redirect"
            && told.end.fingerprint.map(names.contains) == true
        })
      else { continue }
      return kind == .challengeAnswered ? Self.usedRedirect : Self.lateRedirect
    }
    return Self.unknownRedirect
  }

  /// An answer that came longer ago than that is not looked for.
  private static let mostAnswers = 64

  /// What tells the redirect of one login from others, in the log: never the state itself.
  func fingerprint(ofRedirect value: String) throws(GatebookError) -> String {
    try ledger.reader.nameFingerprint(["redirect", value])
  }

  /// How a page ends, with what tells its redirect from others.
  private func ending(of login: WaitingLogin) throws(GatebookError) -> ChallengeEnd {
    var end = ChallengeEnd()
    if let redirect = login.redirect {
      end.fingerprint = try fingerprint(ofRedirect: redirect.value)
    }
    return end
  }

  /// How a login ends without a session.
  private func closing(
    _ login: WaitingLogin, _ error: GatebookError
  ) throws(GatebookError) -> [ProposedEvent] {
    let ended = login.attempt.failed(error)
    guard error.code != .cancelled, error.code != .challengeCancelled else {
      return [login.attempt.event(ChallengeCancelled(login.challenge)), ended]
    }
    var failed = ChallengeFailed(login.challenge)
    if error.code == .challengeTimedOut { failed.end = try ending(of: login) }
    // That nobody entered the code, or the server did not take it, needs no other word.
    if login.redirect == nil, ![.challengeTimedOut, .codeRefused].contains(error.code) {
      failed.failure = Failure(error)
      // The event of the login says it.
      failed.failure.error = nil
    }
    return [login.attempt.event(failed), ended]
  }

  /// Records a redirect that ends no login, unless there were too many.
  private func refused(_ error: GatebookError) async throws(GatebookError) -> GatebookError {
    guard strays.admit() else { return error }
    var failed = ChallengeFailed(AskedChallenge(scheme: "redirect"))
    failed.failure = Failure(error)
    try await ledger.commit(Append([ProposedEvent(failed)]))
    return error
  }

  /// Ends the wait of a login, then redeems what its redirect has brought.
  func finish(
    _ login: WaitingLogin, with fields: FormFields
  ) async throws(GatebookError) -> SessionContext {
    guard ledger.clock.now().wall < login.deadline else {
      try await end(login, by: Self.timedOut)
      throw Self.timedOut
    }
    let machine = try login.restored(
      kept: "The login keeps waiting.", remedy: "Finish it with the version that began it.")
    // Used up before it is sent: no second process, and no second redirect, redeems the code again.
    var answered = ChallengeAnswered(login.challenge)
    answered.end = try ending(of: login)
    guard try await end(login, [login.attempt.event(answered)]) else {
      throw try await refused(Self.usedRedirect)
    }
    let options = try droppingRevokedPermissions(login).options
    let ending = await challenges.run(
      machine, from: .redirect(fields),
      in: try await logins.begunConversation(of: login.attempt, options))
    let progress = try await settle(ending, login.attempt, options)
    guard case .finished(let loggedIn) = progress else { throw Self.unknownRedirect }
    return await logins.told(loggedIn)
  }

  /// A login without what its account took back since it began.
  func droppingRevokedPermissions(_ login: WaitingLogin) throws(GatebookError) -> WaitingLogin {
    guard let account = login.attempt.account ?? login.options.account else { return login }
    var login = login
    login.options = try logins.droppingRevokedPermissions(
      login.options, since: login.attempt.permitted, account)
    return login
  }

  /// Ends the wait of a login with a failure.
  ///
  /// - Parameters:
  ///   - login: The login.
  ///   - error: The failure.
  ///   - left: What it was granted and nobody will use.
  /// - Returns: Whether it was still waiting; else nothing was recorded.
  /// - Throws: Storage failures.
  @discardableResult
  func end(
    _ login: WaitingLogin, by error: GatebookError, leaving left: UnclaimedGrant? = nil
  ) async throws(GatebookError) -> Bool {
    try await end(login, try closing(login, error), leaving: left)
  }

  /// Ends the wait of a login with these events, the challenge's first, and the failure last; that
  /// of a redirect tells how many redirects of nobody were not recorded.
  private func end(
    _ login: WaitingLogin, _ events: [ProposedEvent], leaving left: UnclaimedGrant? = nil
  ) async throws(GatebookError) -> Bool {
    let dropped = login.redirect == nil ? 0 : strays.take()
    let left = left.map { outbox.outlivingErasure($0) }
    var append = Append(outbox.outlivingErasure(events))
    if dropped > 0 {
      append.events[0].change(ChallengeAnswered.self) { $0.end.dropped = dropped }
      append.events[0].change(ChallengeCancelled.self) { $0.end.dropped = dropped }
      append.events[0].change(ChallengeFailed.self) { $0.end.dropped = dropped }
    }
    append.vault = [.endAttempt(login.attempt.session)]
    left?.queue(in: &append)
    do throws(GatebookError) {
      let receipt = try await ledger.commit(append)
      if let left { await outbox.takeBack(left, cause: receipt.first) }
      return true
    } catch {
      strays.putBack(dropped)
      guard error.code == .preconditionFailed else { throw error }
      return false
    }
  }

  /// Cancels a waiting login; its secrets are destroyed.
  @discardableResult
  func cancelLogIn(_ login: SessionID) async throws(GatebookError) -> Bool {
    guard let waiting = try waitingLogin(login) else { return false }
    let isEnded = try await end(waiting, by: GatebookError.cancelledByCaller)
    if isEnded { await tell(GatebookError.cancelledByCaller, of: login) }
    return isEnded
  }

  /// Ends the logins whose redirect never came, or whose code was never entered.
  func endLateLogins() async throws(GatebookError) {
    let now = ledger.clock.now().wall
    for login in try waitingLogins() where login.deadline <= now {
      if try await end(login, by: login.timedOut) {
        await tell(login.timedOut, of: login.attempt.session)
      }
    }
  }

  /// Whether a login still waits.
  func isWaiting(_ id: SessionID) throws(GatebookError) -> Bool {
    try ledger.reader.attempts().contains { $0.session == id }
  }

  /// The logins that wait, those included whose deadline has passed.
  func waitingLogins() throws(GatebookError) -> [WaitingLogin] {
    try ledger.reader.attempts().compactMap(WaitingLogin.init)
  }

  func waitingLogin(_ id: SessionID) throws(GatebookError) -> WaitingLogin? {
    try waitingLogins().first { $0.attempt.session == id }
  }

  static let opensNothing = GatebookError(
    .configurationInvalid, "This login method does not open a page.", kept: "Nothing was sent.",
    remedy: "Use `SessionBook.logIn`.")

  static let timedOut = {
    var error = GatebookError(
      .challengeTimedOut, "The redirect did not arrive in time.", kept: "No session was changed.",
      remedy: "Log in again.")
    error.setting = "redirectLimit"
    return error
  }()

  static let unknownRedirect = GatebookError(
    .stateMismatch, "This redirect does not belong to any login of the book.",
    kept: "Waiting logins keep waiting.",
    remedy: "If the redirect came from the server, log in again.")

  static let usedRedirect = GatebookError(
    .stateMismatch, .redirectUsed, kept: "Waiting logins keep waiting.",
    remedy: "If the login did not succeed, log in again: an answer is valid only once.")

  static let lateRedirect = GatebookError(
    .stateMismatch, .redirectLate, kept: "Waiting logins keep waiting.", remedy: "Log in again.")
}
