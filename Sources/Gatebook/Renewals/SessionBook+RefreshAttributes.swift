extension SessionBook {
  /// Reads the user's attributes again, which also asks the server whether the session is valid.
  ///
  /// Source: Liferay Screens, `refreshUserAttributes`, `relogin`.
  ///
  /// - Parameter account: The account.
  /// - Returns: Its context; what changed is in the event `attributes.changed`.
  /// - Throws: `session.refused` when the server rejected the session; otherwise why it did not answer, with
  ///   session and attributes unchanged.
  @discardableResult
  public func refreshAttributes(
    of account: AccountID
  ) async throws(GatebookError) -> SessionContext {
    let session = try await requireSession(of: account)
    guard try await verify(session) else { throw Self.needsLogin(try context(of: account)) }
    return try context(of: account)
  }
}
