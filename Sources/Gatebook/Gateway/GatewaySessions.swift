/// Sessions of a gateway, whose connection the app keeps itself.
struct GatewaySessions {
  let ledger: Ledger
  let renewals: Renewals
  let offline: OfflineSessions

  /// What the communication client needs to connect an account to its gateway.
  func gatewaySession(
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
  @discardableResult
  func gatewayConnected(
    _ session: GatewaySession
  ) async throws(GatebookError) -> SessionContext {
    try await report(session) { context in
      context.state == .active ? nil : SessionVerified()
    }
  }

  /// Records that the connection to the gateway ended after its last attempt: the session may still
  /// be valid, so it becomes `uncertain` and stays usable.
  @discardableResult
  func gatewayConnectionLost(
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
  @discardableResult
  func gatewaySessionRevoked(
    _ session: GatewaySession
  ) async throws(GatebookError) -> SessionContext {
    let context = try ledger.context(of: session.account)
    guard session.isOf(context) else { return context }
    try await ledger.end(context, reason: .revokedByServer, cause: nil)
    return try self.ledger.context(of: session.account)
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
