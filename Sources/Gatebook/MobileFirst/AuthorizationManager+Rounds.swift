extension AuthorizationManager {
  /// Records and tells what checks say: successes first, then failures or challenges.
  ///
  /// - Returns: How the flow continues, with the answers when all are there.
  func take(
    _ round: CheckRound, _ course: inout FlowRun, _ id: FlowID
  ) async throws(GatebookError) -> AuthorizationPipeline.Input {
    try await record(round.successes, &course, id)
    for success in round.successes {
      users[success.check] = success.user
      if let handler = handlers[success.check] {
        await callBack(id) { await handler.handleSuccess(success) }
      }
      // A login that ends with this round tells its callers at its end: they may begin another one.
      if flows[id]?.isLogin == false || !round.challenges.isEmpty {
        fulfil(
          id, askers(id, success.check),
          .success(Authorization(flow: id, account: account, user: success.user)))
      }
    }
    if !round.failures.isEmpty {
      try await fail(round.failures, course, id)
      return .proceed
    }
    guard !round.challenges.isEmpty else { return .proceed }
    try await challenge(round.challenges, course, id)
    return .answers(try await answers(of: id))
  }

  private func fail(
    _ failures: [SecurityCheckFailure], _ course: FlowRun, _ id: FlowID
  ) async throws(GatebookError) {
    try await book.record(
      failures.map { course.told(ProposedEvent($0, reason: redacted($0.reason, id))) },
      at: course.place)
    for failure in failures {
      users[failure.check] = nil
      if let handler = handlers[failure.check] {
        await callBack(id) { await handler.handleFailure(failure) }
      }
    }
  }

  private func challenge(
    _ challenges: [SecurityCheckChallenge], _ course: FlowRun, _ id: FlowID
  ) async throws(GatebookError) {
    let direct = flows[id]?.direct ?? []
    let unhandled = challenges.filter { handlers[$0.check] == nil && !direct.contains($0.check) }
    let error = GatebookError.unhandled(unhandled.map(\.check))
    // Durable before anybody is asked: a crash leaves it as an open challenge. Where one check of
    // several is answered by nobody, none of them is asked: every received challenge ends.
    let failed = unhandled.isEmpty ? [] : challenges
    try await book.record(
      challenges.map { challenge in
        course.told(
          ProposedEvent(
            received: challenge, handler: registrations[challenge.check],
            message: redacted(challenge.errorMessage, id)))
      } + failed.map { course.told(ProposedEvent(failed: $0, error)) },
      at: course.place)
    guard unhandled.isEmpty else { throw error }
    for challenge in challenges {
      flows[id]?.open[challenge.check] = AuthorizationFlow.OpenCheck(challenge: challenge)
      users[challenge.check] = nil
    }
    flows[id]?.challenged = book.effects.clock.now().boot
    refuseQueuedLogins()
    for challenge in challenges where flows[id]?.interruption == nil {
      let askers = askers(id, challenge.check)
      await put(challenge, id)
      // Callers that asked for this check alone get the wrong answer's error now; callers that have
      // answered this challenge meanwhile keep waiting.
      fulfil(id, askers, .failure(Self.wrongAnswer(challenge).inFlow(id)))
    }
  }

  /// A login that waits would have to wait for what only its own caller may be able to answer.
  private func refuseQueuedLogins() {
    for id in queue where flows[id]?.isLogin == true { end(id, with: .failure(Self.inProgress)) }
  }

  /// The numbers of the callers who asked for one check alone.
  private func askers(_ id: FlowID, _ check: String) -> [Int] {
    (flows[id]?.promises ?? [:]).filter { $0.value.check == check }.map(\.key)
  }

  /// Ends the wait of some callers.
  private func fulfil(
    _ id: FlowID, _ callers: [Int], _ result: Result<Authorization, GatebookError>
  ) {
    for number in callers {
      flows[id]?.promises.removeValue(forKey: number)?.fulfil(result)
    }
  }

  private func redacted(_ text: String, _ id: FlowID) -> String {
    (flows[id]?.answers ?? []).reduce(text) { $1.redacting($0) }
  }

  private static func wrongAnswer(_ challenge: SecurityCheckChallenge) -> GatebookError {
    GatebookError(
      .credentialsRefused, "The server did not accept the answer to the security check.",
      kept: "The challenge is still open: it can be answered again or cancelled.",
      remedy: "Answer again.",
      cause: challenge.remainingAttempts.map { "remaining attempts: \($0)" }, status: 401)
  }
}

extension AuthorizationManager {
  /// Records successes; the first one that names the user of an attempt is its login.
  private func record(
    _ successes: [SecurityCheckSuccess], _ course: inout FlowRun, _ id: FlowID
  ) async throws(GatebookError) {
    guard !successes.isEmpty else { return }
    switch course.place {
    case .session(let session, let proof):
      try await confirm(successes, session, proof, &course)
    case .attempt(let attempt):
      guard let named = identifying(successes, id), let user = named.user else {
        return try await book.record(course.told(successes), at: course.place)
      }
      try await logIn(user, by: named, successes, attempt, &course, id)
    }
  }

  /// The success that says who logs in: of the check that was asked for, else the first with a
  /// user.
  private func identifying(
    _ successes: [SecurityCheckSuccess], _ id: FlowID
  ) -> SecurityCheckSuccess? {
    let named = successes.filter { $0.user != nil }
    guard case .login(let check, _)? = flows[id]?.kind else { return named.first }
    return named.first { $0.check == check } ?? named.first
  }

  private func logIn(
    _ user: AuthenticatedUser, by success: SecurityCheckSuccess,
    _ successes: [SecurityCheckSuccess], _ attempt: LoginAttempt,
    _ course: inout FlowRun, _ id: FlowID
  ) async throws(GatebookError) {
    guard let registration = course.machine.registration else { throw Authorizations.otherUser }
    let typed = flows[id]?.answers.compactMap(\.userName).last
    let person = app.person(user.id, loginName: typed ?? user.id)
    var attempt = attempt
    attempt.typed = person
    attempt.options = since
    let remembers = flows[id]?.answers.last { $0.userName != nil }?.fields["rememberMe"]?.bool
    attempt.settings = SavedSettings.record(
      MobileFirstProof.method,
      app.settings(check: success.check, user: typed, rememberMe: remembers ?? false), options)
    var outcome = Outcome(
      person: person, evidence: .identity, attributes: user.userAttributes,
      proof: MobileFirstProof(
        registration: registration, check: success.check, userID: user.id, tokens: guest.tokens),
      jar: course.machine.jar)
    outcome.leaks = course.leaks(among: outcome.chosenNames)
    let account: AccountID
    do throws(GatebookError) {
      account = try await book.succeed(
        outcome, attempt, course.told(successes), options,
        given: guest.given, accepted: guest.accepted, bound: self.account, taking: guest.kept)
    } catch {
      if error.code == .identityMismatch { await undo(success.check, course) }
      throw error
    }
    // The attempt has succeeded: what is sent until the session is there is not of it.
    (self.account, place) = (account, nil)
    await book.release(guest.kept)
    guest = AuthorizationGuest()
    // The login has recorded what was given: from now on the account's own trust counts.
    options.trust = .system
    await book.adopt(self, for: account)
    guard let (session, proof) = try await book.authorizationSession(of: account) else {
      throw Ledger.needsLogin(try await book.context(of: account))
    }
    course.base = course.machine.jar
    enter(.session(session, proof), &course)
    let sentSecrets = course.conversation.sentSecrets
    course.conversation = try await conversation(at: course.place)
    course.conversation.sentSecrets = sentSecrets
  }

  func confirm(
    _ successes: [SecurityCheckSuccess], _ session: OpenSession, _ proof: MobileFirstProof,
    _ course: inout FlowRun
  ) async throws(GatebookError) {
    let user = successes.first { $0.check == proof.check }?.user
    if let user, user.id != proof.userID {
      await undo(proof.check, course)
      try await book.endSession(ofOtherUser: session.context)
      throw Authorizations.otherUserInSession
    }
    let (base, jar) = (course.base, course.machine.jar)
    let told = course.told(successes)
    let leaks = course.leaks(among: jar.names + (user?.userAttributes.names ?? []))
    let (amended, changed) = try await book.amend(session, besides: leaks) { current, _ in
      current.jar = jar.rebased(from: base, onto: current.jar)
      var events = told
      guard let user else { return events }
      // The server has named the session's user again, of an active session too.
      events.insert(ProposedEvent(SessionVerified()), at: 0)
      if let change = ProposedEvent(
        changing: current.context.user, to: user.userAttributes, besides: leaks)
      {
        events.append(change)
      }
      return events
    }
    course.base = jar
    enter(.session(amended, changed), &course)
  }

  /// Ends at the server what must not be used here: another user is logged in under this client.
  private func undo(_ check: String, _ course: FlowRun) async {
    guard let registration = course.machine.registration else { return }
    _ = await serverLogout(check, registration, course.machine.jar, at: course.place)
  }
}
