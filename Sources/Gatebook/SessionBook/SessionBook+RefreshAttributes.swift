extension SessionBook {
  /// Reads the user's attributes again, and with that asks the server whether the session lives.
  ///
  /// Source: Liferay Screens, `refreshUserAttributes`, `relogin`.
  ///
  /// - Parameter account: The account.
  /// - Returns: Its context; what changed is in the event `attributes.changed`.
  /// - Throws: `session.refused` when the server refused the session; else what kept it from
  ///   answering, with session and attributes as before.
  @discardableResult
  public func refreshAttributes(
    of account: AccountID
  ) async throws(GatebookError) -> SessionContext {
    let session = try await requireSession(of: account)
    guard try await verify(session) else { throw Self.needsLogin(try context(of: account)) }
    return try context(of: account)
  }
}
