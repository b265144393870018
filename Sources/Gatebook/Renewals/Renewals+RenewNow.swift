extension Renewals {
  /// Renews a session now, even if it is not due.
  @discardableResult
  func renewNow(
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
