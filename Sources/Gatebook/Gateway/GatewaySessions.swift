/// The sessions at gateways, of which only the app's communication client hears.
struct GatewaySessions {
  let ledger: Ledger
  let renewals: Renewals
  let offline: OfflineSessions

  /// What connects an account to its gateway.
  func session(of account: AccountID) async throws(GatebookError) -> GatewaySession {
    let session = try await offline.enforceOfflineLimit(
      try await renewals.requireSession(of: account))
    guard let session = GatewaySession(session) else {
      throw GatebookError(
        .configurationInvalid, "The account has no session at a gateway.",
        remedy: "Choose an account that is logged in to a gateway.")
    }
    return session
  }

  /// The gateway accepted the session's id.
  func connected(_ session: GatewaySession) async throws(GatebookError) -> SessionContext {
    try await report(session) { $0.state == .active ? nil : SessionVerified() }
  }

  /// The connection ended after its last attempt.
  func connectionLost(_ session: GatewaySession) async throws(GatebookError) -> SessionContext {
    try await report(session) { context in
      context.state == .uncertain ? nil : SessionUncertain(generation: context.generation)
    }
  }

  /// The gateway ended the session.
  func revoked(_ session: GatewaySession) async throws(GatebookError) -> SessionContext {
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
