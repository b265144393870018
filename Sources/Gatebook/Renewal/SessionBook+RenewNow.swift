extension SessionBook {
  /// Renews a session now, though it is not due.
  ///
  /// - Parameter account: The account.
  /// - Returns: Whether there was something to renew: a kept password or a refresh token; for a session
  ///   of tokens without one, what the user saved, which then logs in again.
  /// - Throws: `session.refused` when only a login helps; what the server answered, with the session
  ///   kept unless it was refused for good.
  @discardableResult
  public func renewNow(_ account: AccountID) async throws(GatebookError) -> Bool {
    let session = try await requireSession(of: account)
    if session.stored.proof.renewal(jar: session.jar) == nil {
      guard try savedLogin(inPlaceOf: session) != nil else { return false }
    }
    try await renew(session, .asked)
    return true
  }
}
