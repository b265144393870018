extension AuthorizationManager {
  /// Whose connections a flow, a logout or a resource call uses, and whom it trusts now.
  ///
  /// Each has its own connections: an account with a session, a login attempt, an account without
  /// either, and a manager that knows no account. What comes after a flow that went well without
  /// naming a user goes on with that flow's.
  func route(at place: AuthorizationPlace?) async throws(GatebookError) -> Route {
    switch place {
    case .session(let session, _)?:
      Route(pool: session.route.pool, trust: try await book.trust(of: session.context.account))
    case .attempt(let attempt)?:
      Route(
        pool: guest.pool ?? attempt.session.description, trust: try await currentOptions().trust)
    case nil:
      Route(
        pool: guest.pool ?? account?.description ?? guestPool,
        trust: try await currentOptions().trust)
    }
  }

  /// As ``route(at:)``, for who sends at once.
  func currentRoute(at place: AuthorizationPlace) async throws(TransportFailure) -> Route {
    do throws(GatebookError) {
      return try await route(at: place)
    } catch {
      throw TransportFailure(error, delivery: .notSent)
    }
  }

  /// What sends the requests of a flow.
  func conversation(at place: AuthorizationPlace) async throws(GatebookError) -> Conversation {
    try await book.conversation(
      at: place, try await currentOptions(), through: try await route(at: place))
  }

  /// The options with what the account trusts now: it is read at each use, for it can be revoked.
  func currentOptions() async throws(GatebookError) -> LoginOptions {
    try await book.currentOptions(options, of: account)
  }
}
