extension Outbox {
  /// What ends a session at its server; `nil` where nothing does.
  ///
  /// A refresh token that the user saved survives: of that session the access token ends alone.
  func serverLogout(of session: OpenSession, forgettingCredentials: Bool = false) -> OutboxItem? {
    var item = OutboxItem(stored: session.stored, jar: session.jar)
    if !forgettingCredentials, let tokens = item.stored.proof as? any TokenProof,
      let saved = try? ledger.savedSession(of: session.context.account)
    {
      item.stored.proof = tokens.leaving(saved.proof)
    }
    return item.stored.proof.logOut(jar: item.jar, at: ledger.clock.now()).isEmpty ? nil : item
  }
}
