extension SessionBook {
  /// What the communication client needs to connect an account to its gateway.
  ///
  /// - Parameter account: An account that logged in by `.fcsdk`.
  /// - Returns: The session as it is now; ask again after a login.
  /// - Throws: `session.refused` when only a login helps, `configuration.invalid` for an account of
  ///   another method, `key` and `storage` failures.
  public func gatewaySession(
    of account: AccountID
  ) async throws(GatebookError) -> GatewaySession {
    let session = try await enforceOfflineLimit(try await requireSession(of: account))
    guard let session = GatewaySession(session) else {
      throw GatebookError(
        .configurationInvalid, "The account has no session at a gateway.",
        remedy: "Choose an account that is logged in to a gateway.")
    }
    return session
  }

  /// Records that the gateway accepted a session's id, which is the only proof that it is valid.
  ///
  /// For the first connection and for ``GatewayConnection/Output/didReestablishConnection``. A session that is
  /// already active does not change.
  ///
  /// - Parameter session: The session that was connected; an earlier one changes nothing.
  /// - Returns: The account's context.
  /// - Throws: A storage failure.
  @discardableResult
  public func gatewayConnected(
    _ session: GatewaySession
  ) async throws(GatebookError) -> SessionContext {
    try await report(session) { context in
      context.state == .active ? nil : SessionVerified()
    }
  }

  /// Records that the connection to the gateway ended after its last attempt: the session may still be valid,
  /// so it becomes `uncertain` and stays usable.
  ///
  /// For ``GatewayConnection/Output/didLoseConnection``.
  ///
  /// - Parameter session: The session that was connected; an earlier one changes nothing.
  /// - Returns: The account's context.
  /// - Throws: A storage failure.
  @discardableResult
  public func gatewayConnectionLost(
    _ session: GatewaySession
  ) async throws(GatebookError) -> SessionContext {
    try await report(session) { context in
      context.state == .uncertain
        ? nil
        : SessionUncertain(generation: context.generation)
    }
  }

  /// Records that the gateway reported a failure of its own and ended the session: only a login
  /// helps.
  ///
  /// For ``GatewayConnection/Output/didEndSession``.
  ///
  /// - Parameter session: The session that was connected; an earlier one changes nothing.
  /// - Returns: The account's context: `needsLogin(revokedByServer)`.
  /// - Throws: A storage failure.
  @discardableResult
  public func gatewaySessionRevoked(
    _ session: GatewaySession
  ) async throws(GatebookError) -> SessionContext {
    let context = try context(of: session.account)
    guard session.isOf(context) else { return context }
    try await end(context, reason: .revokedByServer, cause: nil)
    return try self.context(of: session.account)
  }

  private func report(
    _ session: GatewaySession,
    _ news: (SessionContext) -> (any EventFacts)?
  ) async throws(GatebookError) -> SessionContext {
    let context = try context(of: session.account)
    guard session.isOf(context), let facts = news(context) else { return context }
    let event = ProposedEvent(
      facts, account: session.account, session: session.session,
      cause: .recorded(context.position))
    do throws(GatebookError) {
      try await commit(
        Append(
          [event],
          precondition: .generation(session.account, session.session, session.generation)))
    } catch  where error.code == .preconditionFailed {
      // Somebody logged in anew or out meanwhile (rule 4).
    }
    return try self.context(of: session.account)
  }
}

extension GatewaySession {
  /// Whether an account's present session is still this one.
  func isOf(_ context: SessionContext) -> Bool {
    context.session == session && context.generation == generation && context.state.isUsable
  }
}
