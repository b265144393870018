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
    let session = try await offline.enforceOfflineLimit(
      try await renewals.requireSession(of: account))
    guard let session = GatewaySession(session) else {
      throw GatebookError(
        .configurationInvalid, "The account has no session at a gateway.",
        remedy: "Choose an account that is logged in to a gateway.")
    }
    return session
  }

  /// Records that the gateway accepted a session's id, which is the only proof that it is valid.
  ///
  /// For the first connection and for ``GatewayConnection/Output/didReestablishConnection``. A
  /// session that is already active does not change.
  ///
  /// - Parameter session: The session that was connected; an earlier one changes nothing.
  /// - Returns: The account's context.
  /// - Throws: A storage failure.
  @discardableResult
  public func gatewayConnected(
    _ session: GatewaySession
  ) async throws(GatebookError) -> SessionContext {
    try await report(session) { $0.state == .active ? nil : SessionVerified() }
  }

  /// Records that the connection to the gateway ended after its last attempt: the session may still
  /// be valid, so it becomes `uncertain` and stays usable.
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
      context.state == .uncertain ? nil : SessionUncertain(generation: context.generation)
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
    let context = try ledger.context(of: session.account)
    guard session.isOf(context) else { return context }
    try await ledger.end(context, reason: .revokedByServer, cause: nil)
    return try ledger.context(of: session.account)
  }

  private func report(
    _ session: GatewaySession,
    _ news: (SessionContext) -> (any EventFacts)?
  ) async throws(GatebookError) -> SessionContext {
    let context = try ledger.context(of: session.account)
    guard session.isOf(context), let facts = news(context) else { return context }
    // Not where somebody logged in again or out meanwhile (rule 4).
    _ = try await ledger.commitIfUnchanged(
      Append(
        [context.event(facts)],
        precondition: .generation(session.account, session.session, session.generation)))
    return try ledger.context(of: session.account)
  }
}
