extension Renewals {
  /// Reads the user's attributes again, which also asks the server whether the session is valid.
  @discardableResult
  func refreshAttributes(
    of account: AccountID
  ) async throws(GatebookError) -> SessionContext {
    let session = try await requireSession(of: account)
    guard try await verify(session) else {
      throw Ledger.needsLogin(try ledger.context(of: account))
    }
    return try ledger.context(of: account)
  }
}
