/// Who answers the challenges of servers, what is remembered of the answers, and the conversations
/// in which both meet.
final class Challenges {
  let ledger: Ledger
  let documents: Documents
  /// The book, which conversations talk to.
  unowned let host: any ConversationHost
  /// Who decides about challenges.
  var resolvers = ResolverRegistry()
  /// What this process remembers of servers that ask sessions for credentials.
  var held: [AccountID: SessionCredentials] = [:]

  init(_ ledger: Ledger, _ documents: Documents, host: any ConversationHost) {
    self.ledger = ledger
    self.documents = documents
    self.host = host
  }

  /// Whether somebody decides about a server's challenges.
  func hasResolver(for server: Origin) -> Bool { !deciders(for: server).isEmpty }

  /// Who decides: first the resolver that the login brought with it, and where that leaves it to
  /// the default, the registered one.
  private func deciders(for server: Origin) -> [ResolverRegistry.Entry] {
    [LoginResolver.current, resolvers.entry(for: server)].compactMap(\.self)
  }

  /// The conversation of a login, with what the account it leads to keeps for challenges.
  func conversation(
    of attempt: LoginAttempt, _ options: LoginOptions
  ) throws(GatebookError) -> Conversation {
    let kept =
      if let account = attempt.account { try ledger.keptCredentials(of: account) } else {
        [GivenCredential]()
      }
    let permitted = options.origins + (options.allowsCleartext ? [attempt.typed.server] : [])
    var conversation = Conversation(
      host,
      Conversation.Asker(
        account: attempt.stream, session: attempt.session, cause: .recorded(attempt.started),
        keepsDecisions: false,
        isNamed: attempt.typed.loginName.isEmpty || attempt.account == attempt.stream),
      held: HeldCredentials(
        kept.authorizers, random: ledger.random, proxy: kept.proxyCredential),
      route: Route(
        pool: attempt.session.description, trust: try trust(options, for: attempt.stream)),
      allowsCleartext: options.allowsCleartext)
    conversation.cleartextOrigins = Set(permitted.filter(\.isCleartext))
    conversation.isAnsweredByMethod = attempt.typed.family == HTTPProof.method
    return conversation
  }

  /// What a login trusts: what its caller said, and what the account has accepted before.
  func trust(
    _ options: LoginOptions, for account: AccountID?
  ) throws(GatebookError) -> Trust {
    guard let account else { return options.trust }
    return options.trusting(try trust(of: account)).trust
  }

  /// The conversation of a session.
  func conversation(of session: OpenSession) -> Conversation {
    let own = session.stored.proof.origin
    var conversation = Conversation(
      host,
      Conversation.Asker(
        account: session.context.account, session: session.session,
        cause: .recorded(session.context.position), keepsDecisions: true),
      held: heldCredentials(of: session), route: session.route,
      // Cleartext that was permitted at the login is permitted for its server.
      allowsCleartext: own.isCleartext)
    conversation.cleartextOrigins = Set(
      ([own] + session.stored.origins).filter(\.isCleartext))
    return conversation
  }

  /// What was remembered for a session, as long as its secrets are the same.
  private func heldCredentials(of session: OpenSession) -> HeldCredentials {
    let account = session.context.account
    if let known = held[account], known.session == session.session,
      known.generation == session.state.generation
    {
      return known.held
    }
    let fresh = heldCredentials(of: session.stored)
    held[account] = SessionCredentials(
      session: session.session, generation: session.state.generation, held: fresh)
    return fresh
  }

  /// The credentials that a session holds, as nobody has used them yet.
  func heldCredentials(of stored: StoredSession) -> HeldCredentials {
    let own = (stored.proof as? HTTPProof)?.authorizer
    return HeldCredentials(
      [own].compactMap(\.self) + stored.given.known.authorizers, random: ledger.random,
      hasOwn: own != nil, proxy: stored.given.known.proxyCredential)
  }

  /// Keeps the credentials that were given in a session's conversation; accepted certificates are
  /// kept since they were.
  func keep(
    _ conversation: Conversation, _ session: OpenSession
  ) async throws(GatebookError) {
    conversation.forgetOnce()
    guard !conversation.given.isEmpty else { return }
    try await ledger.update(session) { (current) throws(GatebookError) in
      try keeping(conversation.given, &current)
    }
  }

  /// Keeps given credentials with a session as it is now.
  ///
  /// With an event always: it is what another writer of the same secrets sees to have come between.
  func keeping(
    _ given: [GivenCredential], _ current: inout OpenSession
  ) throws(GatebookError) -> Append {
    current.stored.given = current.stored.given.adding(given)
    // Read again in each turn: what was removed meanwhile must not come back.
    let account = current.context.account
    let change = Self.change(
      of: account, from: try ledger.credentials(of: account), adding: given)
    var saved = CredentialsSaved(purpose: "challenge")
    if change == nil { saved.storage.persistence = "forSession" }
    return Append([current.event(saved)], vault: [change].compactMap(\.self))
  }

  /// The decision about a challenge; `nil` when nobody is registered for the server.
  ///
  /// - Throws: `challenge.timedOut`, or `cancelled` when the caller was.
  func decide(_ challenge: Challenge) async throws(GatebookError) -> ChallengeDecision? {
    var last: ChallengeDecision?
    for entry in deciders(for: challenge.server) {
      let decision = try await decide(challenge, by: entry)
      guard case .performDefaultHandling = decision else { return decision }
      last = decision
    }
    return last
  }

  private func decide(
    _ challenge: Challenge, by entry: ResolverRegistry.Entry
  ) async throws(GatebookError) -> ChallengeDecision {
    let result = FirstValue<Result<ChallengeDecision, GatebookError>>()
    // Before anybody is asked: the asking is a part of the time.
    let deadline = ledger.clock.now().boot + entry.limit
    // Not in a task group: that would wait for a resolver that never decides.
    let asking = startTask { await result.give(.success(entry.resolver.resolve(challenge))) }
    let watching = startTask {
      if await self.ledger.clock.reaches(deadline) { await result.give(.failure(Self.undecided)) }
    }
    let decision = await result.value(cancelled: .failure(GatebookError.cancelledByCaller))
    asking.cancel()
    watching.cancel()
    return try decision.get()
  }

  private static let undecided = GatebookError(
    .challengeTimedOut, "The server's challenge was not answered in time.",
    kept: "No session was changed.", remedy: "Try again.")

  /// Drives an authenticator to its end, with this book's effects.
  func run(
    _ machine: any Authenticator, from first: Input.Happening = .start,
    in conversation: Conversation, isWanted: (() async -> Bool)? = nil,
    keep: ((any RedirectAuthenticator) async -> Void)? = nil
  ) async -> AuthenticatorRun.Ending {
    var run = AuthenticatorRun(conversation: conversation, isWanted: isWanted, keep: keep)
    return await run.run(machine, from: first)
  }
}
