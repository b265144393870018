extension AuthorizationManager {
  /// Whose connections a flow, a logout or a resource call uses, and whom it trusts now.
  ///
  /// Each has its own connections: an account with a session, a login attempt, an account without
  /// either, and a manager that knows no account. A flow after a successful one that named no user
  /// continues with that one's connections.
  func route(at place: FlowContext?) async throws(GatebookError) -> Route {
    if let session = place?.session {
      return Route(
        pool: session.route.pool, trust: try await book.trust(of: session.context.account))
    }
    let own = place?.attempt?.session.description ?? account?.description
    return Route(
      pool: guest.pool ?? own ?? guestPool, trust: try await book.trust(options, for: account))
  }

  /// As ``route(at:)``, for who sends at once.
  func currentRoute(at place: FlowContext) async throws(TransportFailure) -> Route {
    do throws(GatebookError) {
      return try await route(at: place)
    } catch {
      throw TransportFailure(error, delivery: .notSent)
    }
  }

  /// What sends the requests of a flow, a logout or a resource call.
  func conversation(at place: FlowContext?) async throws(GatebookError) -> Conversation {
    let route = try await route(at: place)
    var conversation: Conversation
    if let session = place?.session {
      conversation = await book.conversation(of: session)
      conversation.follow(route)
    } else {
      conversation = Conversation(
        book, asker(at: place), held: try await heldByGuest(), route: route,
        allowsCleartext: options.allowsCleartext)
      if options.allowsCleartext {
        conversation.cleartextOrigins = Set(
          (app.origins + options.origins).filter(\.isCleartext))
      }
      conversation.resume(accepting: guest.accepted)
    }
    return conversation
  }

  /// Whose requests are sent where there is no session.
  private func asker(at place: FlowContext?) -> Conversation.Asker {
    guard let attempt = place?.attempt else {
      return Conversation.Asker(
        account: account, session: nil, cause: .none, keepsDecisions: account != nil)
    }
    return Conversation.Asker(
      account: attempt.stream, session: attempt.session, cause: .recorded(attempt.started),
      keepsDecisions: false)
  }

  /// What the account keeps for challenges, and what was given without a session.
  private func heldByGuest() async throws(GatebookError) -> HeldCredentials {
    if let held = guest.held { return held }
    let kept =
      if let account { try await book.keptCredentials(of: account) } else { [GivenCredential]() }
    // Somebody else may have made one meanwhile, and have learnt with it.
    let held =
      guest.held
      ?? HeldCredentials(
        kept.authorizers, random: book.effects.random, proxy: kept.proxyCredential)
    guest.held = held
    return held
  }

  /// Remembers what a conversation without a session has learnt; the account, if there is one,
  /// keeps at once what was given for good.
  func learn(from conversation: Conversation) async {
    conversation.forgetOnce()
    let news = conversation.given
    guest.given = news.reduce(guest.given) { $0.adding($1) }
    guest.accepted += conversation.accepted.filter { !guest.accepted.contains($0) }
    // An answer is worth more than what it took to get it: what cannot be kept now may be with the
    // login.
    guard let account, conversation.asker.keepsDecisions,
      (try? await book.keep(news, of: account)) != nil
    else { return }
    // The login reads these from the account: what is removed there until then must not come back.
    guest.given.removeAll { $0.isPermanent && news.contains($0) }
  }
}
