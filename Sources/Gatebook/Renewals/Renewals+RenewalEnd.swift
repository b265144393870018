/// Sessions whose refresh token the server has refused for good: "what it ends is the renewal", and
/// the access token serves until its end or until the server refuses it.
extension Renewals {
  /// Says in a `refresh.failed` that it ends the renewal alone.
  ///
  /// - Parameters:
  ///   - failed: The event's facts.
  ///   - reason: Why.
  ///   - error: The refusal.
  ///   - account: The account.
  /// - Throws: Storage failures.
  func fill(
    _ failed: inout RefreshFailed, _ reason: EndReason, _ error: GatebookError,
    _ account: AccountID
  ) throws(GatebookError) {
    failed.reason = reason
    if reason == .refusedAfterUnknownOutcome {
      let doubt = try ledger.doubtOfSaved(account, isUsedUp: true)
      (failed.attempt, failed.fingerprint) = (doubt?.attempt, doubt?.fingerprint)
    }
    failed.isHalted = try ledger.isSavedRefused(by: error, account)
  }

  /// Why a session is not renewed now: its refresh token was refused before, and nobody insists.
  ///
  /// - Parameters:
  ///   - session: The session, as it was seen.
  ///   - trigger: Why it is to be renewed.
  /// - Returns: `token.refused`; `nil` where the refresh token may be sent.
  /// - Throws: Storage failures.
  func refusedBefore(
    _ session: OpenSession, _ trigger: RenewalTrigger
  ) throws(GatebookError) -> GatebookError? {
    guard let state = try ledger.reader.state(of: session.context.account), state.isStill(session),
      let end = state.renewalEnd, let error = try ledger.refusedToken(of: state)
    else { return nil }
    // Who asks may send it once more where nothing else is left; who waited hears what another has
    // just heard.
    let isAlone = try savedLogin(inPlaceOf: session) == nil
    let isSentTwice = state.unanswered >= SavedUse.maximumUses
    guard trigger.isAsked, isAlone, end.position <= session.state.position else { return error }
    return isSentTwice && trigger != .insisted ? error : nil
  }

  /// Records that a session's life is over.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - isTold: Whether the login delegate hears of it where the server had refused the refresh
  ///     token.
  /// - Returns: Whether it is over.
  /// - Throws: Storage failures.
  func recordExpiry(
    of account: AccountID, isTold: Bool = true
  ) async throws(GatebookError) -> Bool {
    guard let expiry = try await ledger.recordExpiry(of: account) else { return false }
    if isTold, let refusal = expiry.refusal { announce(refusal) }
    return true
  }

  /// Tells the login delegate that an account needs a login.
  ///
  /// The caller does not wait for that.
  ///
  /// - Parameters:
  ///   - refusal: Why.
  ///   - isolation: The book.
  func announce(_ refusal: GatebookError, isolation: isolated (any Actor)? = #isolation) {
    _ = startTask { await self.logins.tell([.failed(refusal)]) }
  }
}
