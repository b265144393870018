extension Requests {
  /// Sends an app's request as an account.
  ///
  /// - Returns: The answer; `nil` for a session whose own flow sends its requests.
  func send(
    _ request: HTTPRequest, as account: AccountID
  ) async throws(GatebookError) -> HTTPReply? {
    guard let (reply, refused) = try await answer(to: request, as: account) else { return nil }
    await recordRefusal(reply, of: account, refusing: refused)
    return try request.handingOver(reply)
  }

  /// - Returns: The last answer, and the session that it refused.
  private func answer(
    to request: HTTPRequest, as account: AccountID
  ) async throws(GatebookError) -> (reply: HTTPReply, refused: OpenSession?)? {
    // Before anything is sent, also before what was saved logs in.
    if try !ledger.recordedContext(of: account).state.isUsable,
      let saved = try? ledger.savedSession(of: account), !saved.owns(request.url)
    {
      throw foreign(request.url, account)
    }
    var session = try await renewals.requireSession(of: account)
    guard session.stored.owns(request.url) else { throw foreign(request.url, account) }
    session = try await offline.enforceOfflineLimit(session)
    if session.stored.proof is MobileFirstProof { return nil }
    // A pipe may take long: before the session is made ready for the request.
    var request = try await request.withShortBodyInMemory(ledger.clock)
    session = try await renewals.prepare(session)
    if session.stored.proof.signsBody(of: request) {
      request = try await request.withBodyInMemory(ledger.clock)
    }
    // What follows cannot be sent twice.
    if request.source?.canRewind == false { session = try await renewals.confirmed(session) }
    var refusals = Refusals()
    let answer = try await chase(request, session, &refusals)
    guard let refused = answer.refused, !answer.reply.isStreamed else {
      renewals.untried[account] = nil
      return answer
    }
    var reply = answer.reply
    reply.isUnrepeated = !request.canBeSent
    guard let recovered = try await recover(refused, reply) else { return (reply, refused) }
    guard request.canBeSent else {
      renewals.untried[account] = recovered.state.generation
      return (reply, refused)
    }
    let repeated = try await chase(request, recovered, &refusals)
    if let refused = repeated.refused {
      renewals.renewedInVain[account] = refused.state.generation
    }
    return repeated
  }

  /// After a refusal: a renewed session to try again with; `nil` when the answer is the caller's.
  ///
  /// It is the caller's too when somebody in front asks for what nobody answers: that says nothing
  /// about the session (Liferay Screens, `challengeResolver`: by default the 401 goes to the
  /// caller). And so where a wrong setting keeps the session from being renewed; the log says
  /// which.
  private func recover(
    _ session: OpenSession, _ reply: HTTPReply
  ) async throws(GatebookError) -> OpenSession? {
    do throws(GatebookError) {
      return try await renewals.recover(session, refusedBy: reply)
    } catch  where error.code == .challengeUnhandled || error.code == .configurationInvalid {
      return nil
    }
  }

  /// Sends a request with the session's authority, and with a token that the resource wants.
  func exchange(
    _ request: HTTPRequest, _ session: OpenSession, with token: AccessToken? = nil,
    _ refusals: inout Refusals
  ) async throws(GatebookError) -> Conversation.Exchanged {
    var conversation = challenges.conversation(of: session)
    conversation.refusals = refusals
    defer { refusals = conversation.refusals }
    let moment = ledger.clock.now()
    let authorised = session.stored.proof.authorise(
      request, jar: session.jar, at: moment, random: ledger.random.bytes(64)
    ).carrying(token)
    do throws(TransportFailure) {
      let exchanged = try await conversation.send(authorised)
      await ledger.recordTrust(in: request.url.origin, session)
      await ledger.takeCookies(
        of: exchanged.reply, from: request.url, after: conversation.sentSecrets, session)
      if var demand = session.stored.proof.stepUpCapable?.demand(in: exchanged.reply) {
        // A server may name as wanted what it was just sent.
        let leaks = exchanged.credentials.leaks(
          among: demand.scopes + demand.contextClasses)
        demand.scopes.removeAll(where: leaks.contains)
        demand.contextClasses.removeAll(where: leaks.contains)
        // The answer tells the caller of it too.
        try? await keep(demand, StepUp.error(in: exchanged.reply), of: session)
      }
      // An answer is worth more than what it took to get it: what cannot be kept is asked again.
      try? await challenges.keep(conversation, session)
      return exchanged
    } catch {
      try? await challenges.keep(conversation, session)
      throw error.error
    }
  }

  /// Sends a request and follows its redirects, up to the first answer that refuses the session:
  /// a server may send it round a few corners before it asks for a login.
  ///
  /// - Returns: The last answer, and the session that it refused.
  private func chase(
    _ request: HTTPRequest, _ session: OpenSession, _ refusals: inout Refusals
  ) async throws(GatebookError) -> (reply: HTTPReply, refused: OpenSession?) {
    var request = request
    var session = session
    for _ in 0...Self.maximumHops {
      var exchanged = try await exchange(request, session, &refusals)
      var verdict = Self.verdict(exchanged, session)
      if request.canBeSent, case .corrected(let record) = verdict,
        let corrected = try await correct(session, by: record)
      {
        session = corrected
        exchanged = try await exchange(request, session, &refusals)
        verdict = Self.verdict(exchanged, session)
      }
      let reply = exchanged.reply
      await learn(from: exchanged, session)
      if verdict == .authorityLost { return (reply, session) }
      guard let url = Self.target(of: reply, request), session.stored.owns(url) else {
        return (reply, nil)
      }
      request.url = url
      session = try await renewals.requireSession(of: session.context.account)
    }
    throw Self.roundInCircles
  }

  /// Keeps what an answer tells for the next request, such as the nonce of a server that wants
  /// another one each time; an answer is worth more than that.
  private func learn(from exchanged: Conversation.Exchanged, _ session: OpenSession) async {
    func learnt(by session: OpenSession) -> (any SessionProof)? {
      session.stored.proof.tokenBearing?.learning(from: exchanged.reply, to: exchanged.sent)
    }
    guard learnt(by: session) != nil else { return }
    try? await ledger.update(session) { current in
      // Others have learnt meanwhile.
      guard let proof = learnt(by: current) else { return nil }
      current.stored.proof = proof
      return Append([])
    }
  }

  /// What a reply says about the session: the credential that it answered knows best.
  private static func verdict(
    _ exchanged: Conversation.Exchanged, _ session: OpenSession
  ) -> SessionVerdict {
    exchanged.verdict ?? session.stored.proof.judge(exchanged.reply, to: exchanged.sent)
  }

  static let maximumHops = 10

  static let roundInCircles = GatebookError(
    .limitExceeded, "The server redirected more than \(maximumHops) times.",
    kept: "The session is kept.", remedy: "Check the URL: its redirects form a loop.")

  /// Keeps what a session has learnt of its server, such as how far the server's clock is off.
  private func correct(
    _ session: OpenSession, by record: Facts
  ) async throws(GatebookError) -> OpenSession? {
    let method = type(of: session.stored.proof).method
    guard let proof = SessionProofs.decode(method: method, record: record) else { return nil }
    try await ledger.update(session) { current in
      current.stored.proof = proof
      // A nonce is no clock: then there is nothing to tell.
      return Append(current.clockEvents(at: nil, offset: proof.serverOffset))
    }
    return try await renewals.requireSession(of: session.context.account)
  }

  /// Where a redirect leads that is followed: only GET and HEAD, which change nothing.
  static func target(of reply: HTTPReply, _ request: HTTPRequest) -> HTTPURL? {
    guard request.followsRedirects, [301, 302, 303, 307, 308].contains(reply.status),
      request.method == "GET" || request.method == "HEAD",
      let location = reply.fields.first("Location")
    else { return nil }
    return request.url.resolve(location)
  }
}
