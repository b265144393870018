extension AuthorizationManager {
  /// Runs a flow to its end.
  func drive(_ id: FlowID) async throws(GatebookError) -> Authorization {
    guard let kind = flows[id]?.kind else { throw GatebookError.cancelledByCaller }
    switch kind {
    case .token(let scope):
      // Before an attempt begins that would have nothing to do.
      if let token = guestToken(for: scope) {
        return Authorization(flow: id, account: account, token: token)
      }
      let place = try await enter()
      if let token = place.proof?.token(for: scope, at: book.effects.clock.now()) {
        return Authorization(flow: id, account: account, token: token)
      }
      return try await authorize(id, .token(scope), at: place)
    case .login(let check, let answer):
      return try await authorize(
        id, .login(check: check, answer), at: try await enter(with: answer))
    case .logout(let check):
      return Authorization(flow: id, account: account, logout: try await logOut(check, flow: id))
    }
  }

  /// The account's session, or else a new login attempt: one whose first request about a check
  /// carries an answer marks the client as used.
  private func enter(
    with answer: ChallengeAnswer? = nil
  ) async throws(GatebookError) -> FlowContext {
    if let account, let (session, proof) = try await book.authorizationSession(of: account) {
      return .session(session, proof)
    }
    try await recallRegistration()
    let begun = try await book.beginAuthorization(
      app, account: account, name: try await fingerprint(ofNameIn: answer),
      besides: answer == nil ? [] : guest.usage(at: book.effects.clock.now().wall))
    if answer != nil { guest.isUsed = true }
    place = .attempt(begun)
    return .attempt(begun)
  }

  /// Finds the client to continue with: the account's, or one that no account owns.
  func recallRegistration() async throws(GatebookError) {
    guard guest.registration == nil else { return }
    guest.isUsed = false
    if let account {
      guest.registration = try await book.registration(of: account)
    } else if let found = try await book.takeUpRegistration(for: app, by: self) {
      guest.registration = found.registration
      guest.kept = found.id
    }
  }

  private func authorize(
    _ id: FlowID, _ goal: AuthorizationPipeline.Goal, at place: FlowContext
  ) async throws(GatebookError) -> Authorization {
    let conversation: Conversation
    do throws(GatebookError) {
      conversation = try await self.conversation(at: place)
    } catch {
      // The login has begun: what it cannot read ends it like everything that comes later.
      throw await fail(at: place, id, error)
    }
    var course = FlowRun(
      place: place,
      machine: AuthorizationPipeline(
        goal, flow: id, app: app, registration: place.proof?.registration ?? guest.registration,
        jar: place.session?.jar ?? guest.jar, suffixes: book.effects.suffixes),
      conversation: conversation)
    self.place = place
    do throws(GatebookError) {
      return try await run(&course, id, goal)
    } catch {
      keepGuest(course)
      throw await fail(at: course.place, id, course.conversation.withholding(error))
    }
  }

  private func run(
    _ course: inout FlowRun, _ id: FlowID, _ goal: AuthorizationPipeline.Goal
  ) async throws(GatebookError) -> Authorization {
    var input = AuthorizationPipeline.Input.proceed
    while true {
      switch try next(input, &course) {
      case .makeKey:
        input = .key(await newKey(), deviceID: Hex.encode(book.effects.random.bytes(16)))
      case .send(let request):
        input = await exchange(request, &course, id)
      case .registered(let registration):
        try await keep(registration, &course)
        input = .proceed
      case .rejected(let client): input = try await reject(client, &course)
      case .round(let round): input = try await take(round, &course, id)
      case .finish(let token):
        if let token { try await keep(token, &course) }
        keepGuest(course)
        await endNamelessAttempt(course)
        return Authorization(
          flow: id, account: account, user: Self.check(of: goal).flatMap { users[$0] }, token: token
        )
      }
    }
  }

  private func next(
    _ input: AuthorizationPipeline.Input, _ course: inout FlowRun
  ) throws(GatebookError) -> AuthorizationPipeline.Step {
    let now = book.effects.clock.now()
    do throws(GatebookError) {
      return try course.machine.next(input, at: now)
    } catch {
      guard case .reply(let reply) = input else { throw error }
      throw error.demanded(by: reply, at: now.wall)
    }
  }

  /// Sends one request; the time in which a person decides about a challenge does not count.
  private func exchange(
    _ request: HTTPRequest, _ course: inout FlowRun, _ id: FlowID
  ) async -> AuthorizationPipeline.Input {
    let asked = course.conversation.asked
    let input: AuthorizationPipeline.Input
    do throws(TransportFailure) {
      // A person may have taken trust back while the flow waited for an answer.
      course.conversation.follow(try await currentRoute(at: course.place))
      input = .reply(try await course.conversation.send(request).reply)
    } catch {
      input = .failure(error)
      // A resolver's cancel counts like one of the challenge's handler.
      if error.error.code == .challengeCancelled { cancel(id, error.error) }
    }
    if course.conversation.asked > asked { course.machine.excuseTime() }
    if let session = course.place.session {
      // An answer is worth more than what it took to get it: what cannot be kept is asked again.
      guard (try? await book.keep(course.conversation, session)) != nil else { return input }
    } else {
      await learn(from: course.conversation)
    }
    // Kept data is kept once: a removal during the flow is final.
    course.conversation.given = []
    return input
  }

  private static func check(of goal: AuthorizationPipeline.Goal) -> String? {
    if case .login(let check, _) = goal { check } else { nil }
  }

  /// A key pair takes some tenths of a second: not on this actor.
  private func newKey() async -> RSAKey {
    let makeKey = makeKey
    return await Task.detached { makeKey() }.value
  }

  /// Records events of the flow that is running, where they belong.
  private func record(_ events: [ProposedEvent]) async throws(GatebookError) {
    guard let place else { return }
    try await book.record(events, at: place)
  }

  /// Records an answer before it is sent, and that nobody else gets the client from now on.
  func record(answer: ProposedEvent) async throws(GatebookError) {
    guard let place else { return }
    let usage = place.session == nil ? guest.usage(at: book.effects.clock.now().wall) : []
    try await book.record([answer], at: place, besides: usage)
    if !usage.isEmpty { guest.isUsed = true }
  }

  func enter(_ place: FlowContext, _ course: inout FlowRun) {
    course.place = place
    self.place = place
  }

  /// What a flow without a session leaves for the next one.
  private func keepGuest(_ course: FlowRun) {
    guard course.place.session == nil else { return }
    guest.registration = course.machine.registration ?? guest.registration
    guest.jar = course.machine.jar
  }

  /// Ends the login attempt of a flow that went well, but in which no check named a user: there is
  /// nobody to log in.
  private func endNamelessAttempt(_ course: FlowRun) async {
    guard let attempt = course.place.attempt else { return }
    guest.pool = course.conversation.route.pool
    place = nil
    await book.endAuthorization(attempt)
  }

  /// - Returns: The error as the caller gets it.
  private func fail(
    at last: FlowContext, _ id: FlowID, _ error: GatebookError
  ) async -> GatebookError {
    let open = flows[id]?.open.values.map(\.challenge) ?? []
    flows[id]?.open = [:]
    if flows[id]?.interruption != nil {
      let isCancelled = error.code == .challengeCancelled
      // The cancel itself has happened; without the event the challenge reads as abandoned.
      _ = try? await record(
        open.map { challenge in
          isCancelled
            ? ProposedEvent(cancelled: challenge) : ProposedEvent(failed: challenge, error)
        })
    }
    place = nil
    guard let attempt = last.attempt else { return error }
    guest.pool = nil
    return await book.endAuthorization(attempt, error)
  }
}

extension AuthorizationManager {
  /// Records a registration before it is used; the account's key pair is never lost.
  private func keep(
    _ registration: ClientRegistration, _ course: inout FlowRun
  ) async throws(GatebookError) {
    let former = course.former
    let event = course.told(ProposedEvent(registration, replacing: former))
    switch course.place {
    case .session(let session, _):
      let (amended, proof) = try await book.amend(session) { _, proof in
        proof.registration = registration
        return [event]
      }
      enter(.session(amended, proof), &course)
    case .attempt(let attempt):
      guest.registration = registration
      if let account = attempt.account {
        try await book.keep(registration, of: account, event, at: course.place)
      } else {
        guest.kept = try await book.keep(
          registration, at: guest.kept ?? attempt.session, isUsed: guest.isUsed, event,
          at: course.place, for: self)
      }
    }
  }

  /// Drops the tokens of a client that the server does not know; its registration stays until there
  /// is another one, so that a failure in between loses nothing.
  private func reject(
    _ client: String, _ course: inout FlowRun
  ) async throws(GatebookError) -> AuthorizationPipeline.Input {
    course.former = client
    let event = course.told(ProposedEvent(rejected: client))
    guard case .session(let session, _) = course.place else {
      guest.tokens = [:]
      try await book.record([event], at: course.place)
      guard let account, let other = try await book.registration(of: account),
        other.clientID != client
      else { return .proceed }
      return .registration(other)
    }
    let (amended, proof) = try await book.amend(session) { _, proof in
      guard proof.registration.clientID == client else { return [event] }
      return proof.clear(nil)
        ? [event, ProposedEvent(clearing: nil, cause: "registration")] : [event]
    }
    enter(.session(amended, proof), &course)
    // Another process may have registered the account's client again already.
    return proof.registration.clientID == client ? .proceed : .registration(proof.registration)
  }

  private func keep(
    _ token: AccessToken, _ course: inout FlowRun
  ) async throws(GatebookError) {
    let event = course.told(ProposedEvent(token))
    switch course.place {
    case .session(let session, _):
      let now = book.effects.clock.now()
      let registration = course.machine.registration
      let (base, jar) = (course.base, course.machine.jar)
      let leaks = course.leaks(among: jar.names)
      let (amended, proof) = try await book.amend(session, besides: leaks) { current, proof in
        proof.keep(token, at: now)
        if let registration, registration.clientID == proof.registration.clientID {
          proof.registration = registration
        }
        current.jar = jar.rebased(from: base, onto: current.jar)
        return [event]
      }
      course.base = jar
      enter(.session(amended, proof), &course)
    case .attempt:
      guest.tokens[token.scope] = token
      try await book.record([event], at: course.place)
    }
  }
}
