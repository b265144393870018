extension SessionBook {
  /// Renews a session now, even if it is not due.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - evenIfUsedUp: Whether to send a refresh token once more that was sent twice without an answer. If the
  ///     server never received it, that saves the session. If it did, many servers end the session (RFC 9700
  ///     section 4.14.2).
  /// - Returns: Whether there was something to renew: a saved password or a refresh token; for a token session
  ///   without one, saved credentials that log in again.
  /// - Throws: `session.refused` when only a login helps; `outcome.unknown` for a refresh token that counts as
  ///   used up; otherwise the server's failure, with the session kept unless the server ended it.
  @discardableResult
  public func renewNow(
    _ account: AccountID, evenIfUsedUp: Bool = false
  ) async throws(GatebookError) -> Bool {
    let session = try await requireSession(of: account)
    if session.stored.proof.renewal(jar: session.jar) == nil {
      guard try savedLogin(inPlaceOf: session) != nil else { return false }
    }
    try await renew(session, evenIfUsedUp ? .insisted : .asked)
    return true
  }
}
