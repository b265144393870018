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
    try await gatewaySessions.session(of: account)
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
    try await gatewaySessions.connected(session)
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
    try await gatewaySessions.connectionLost(session)
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
    try await gatewaySessions.revoked(session)
  }
}
