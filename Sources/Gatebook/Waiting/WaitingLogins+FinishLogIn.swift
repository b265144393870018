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
    let here = try waitingLogins().filter { arrived.isAt($0.redirect) }
    guard !arrived.fields.hasRepetition else {
      throw try await refused(
        GatebookError(
          .contentUnexpected, "The redirect has a duplicate parameter.",
          kept: "Waiting logins keep waiting.",
          remedy:
            "If the redirect came from the server, log in again."))
    }
    if let login = here.first(where: { arrived.answers($0.redirect) }) {
      return (login, arrived.fields)
    }
    // Where one login waits alone, a refusal can be of no other. Who forges one gains nothing by
    // it.
    if here.count == 1, arrived.isNamelessRefusal(of: here[0].redirect) {
      let name = FormFields.Field(here[0].redirect.key, here[0].redirect.value)
      return (here[0], FormFields([name] + arrived.fields.fields))
    }
    throw try await refused(try unknown(arrived))
  }

  /// What is said of a redirect that no login awaits: it belongs to none, or to one that has ended.
  private func unknown(_ arrived: ArrivedRedirect) throws(GatebookError) -> GatebookError {
    let names = try ["state", "oauth_token"].compactMap { arrived.fields[$0] }
      .map { (value) throws(GatebookError) in try fingerprint(ofRedirect: value) }
    guard !names.isEmpty else { return Self.unknownRedirect }
    for kind in [EventKind.challengeAnswered, .challengeFailed] {
      var filter = EventFilter()
      filter.kind = kind.rawValue
      filter.limit = Self.mostAnswers
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
    end.fingerprint = try fingerprint(ofRedirect: login.redirect.value)
    return end
  }

  /// How a login ends whose redirect never came.
  private func lateEvents(of login: WaitingLogin) throws(GatebookError) -> [ProposedEvent] {
    var failed = ChallengeFailed(WaitingLogin.challenge)
    failed.end = try ending(of: login)
    return [login.attempt.event(failed), login.attempt.failed(Self.timedOut)]
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
      try await end(login, try lateEvents(of: login))
      throw Self.timedOut
    }
    guard
      let machine = RedirectAuthenticators.decode(method: login.method, record: login.machine)
    else {
      throw GatebookError(
        .storageDamaged, "This version of Gatebook cannot read the waiting login.",
        kept: "The login keeps waiting.", remedy: "Finish it with the version that began it.")
    }
    // Used up before it is sent: no second process, and no second redirect, redeems the code again.
    var answered = ChallengeAnswered(WaitingLogin.challenge)
    answered.end = try ending(of: login)
    guard try await end(login, [login.attempt.event(answered)]) else {
      throw try await refused(Self.usedRedirect)
    }
    var options = login.options
    if let account = login.attempt.account ?? options.account {
      options = try logins.droppingRevokedPermissions(
        options, since: login.attempt.permitted, account)
    }
    let ending = await challenges.run(
      machine, from: .redirect(fields),
      in: try await logins.begunConversation(of: login.attempt, options))
    let progress = try await settle(ending, login.attempt, options)
    guard case .finished(let loggedIn) = progress else { throw Self.unknownRedirect }
    return await logins.told(loggedIn)
  }

  /// Ends the wait of a login with these events, the challenge's first; it tells how many redirects
  /// of nobody were not recorded.
  ///
  /// - Returns: Whether it was still waiting; else nothing was recorded.
  @discardableResult
  func end(
    _ login: WaitingLogin, _ events: [ProposedEvent]
  ) async throws(GatebookError) -> Bool {
    let dropped = strays.take()
    var events = events
    // The first event is the challenge's, which ends here.
    if dropped > 0, !events.isEmpty {
      events[0].change(ChallengeAnswered.self) { $0.end.dropped = dropped }
      events[0].change(ChallengeCancelled.self) { $0.end.dropped = dropped }
      events[0].change(ChallengeFailed.self) { $0.end.dropped = dropped }
    }
    do throws(GatebookError) {
      if try await end(login.attempt, events) { return true }
    } catch {
      strays.putBack(dropped)
      throw error
    }
    strays.putBack(dropped)
    return false
  }

  /// Ends the wait of an attempt with these events, the failure last.
  ///
  /// - Parameters:
  ///   - attempt: The attempt.
  ///   - events: The events.
  ///   - left: What it was granted and nobody will use.
  /// - Returns: Whether it was still waiting; else nothing was recorded.
  /// - Throws: Storage failures.
  @discardableResult
  func end(
    _ attempt: LoginAttempt, _ events: [ProposedEvent], leaving left: UnclaimedGrant? = nil
  ) async throws(GatebookError) -> Bool {
    let left = left.map { outbox.outlivingErasure($0) }
    var append = Append(outbox.outlivingErasure(events))
    append.vault = [.endAttempt(attempt.session)]
    left?.queue(in: &append)
    do throws(GatebookError) {
      let receipt = try await ledger.commit(append)
      if let left { await outbox.takeBack(left, cause: receipt.first) }
      return true
    } catch  where error.code == .preconditionFailed {
      return false
    }
  }

  /// Ends the logins whose redirect never came, or whose code was never entered.
  func endLateLogins() async throws(GatebookError) {
    let now = ledger.clock.now().wall
    for login in try waitingLogins() where login.deadline <= now {
      if try await end(login, try lateEvents(of: login)) {
        await tell(Self.timedOut, of: login.attempt.session)
      }
    }
    for login in try deviceWaits() where login.deadline <= now {
      if try await end(login.attempt, login.closing(DeviceWait.timedOut)) {
        await tell(DeviceWait.timedOut, of: login.attempt.session)
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
