extension SessionBook {
  /// Renews a session now, though it is not due.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - evenIfUsedUp: Whether a refresh token that was sent twice without an answer is sent once more.
  ///     Where the server never saw it that saves the session; where it did, many servers end the session
  ///     for that (RFC 9700 section 4.14.2).
  /// - Returns: Whether there was something to renew: a kept password or a refresh token; for a session
  ///   of tokens without one, what the user saved, which then logs in again.
  /// - Throws: `session.refused` when only a login helps; `outcome.unknown` for a refresh token that counts
  ///   as used up; what the server answered, with the session
  ///   kept unless it was refused for good.
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
