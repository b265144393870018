/// Sessions whose refresh token the server has refused for good: "what it ends is the renewal", and the access
/// token serves until its end or until the server refuses it.
extension SessionBook {
  /// Whether a terminal answer ends the session itself, and not only its renewal.
  ///
  /// - Parameters:
  ///   - failure: What the answer means.
  ///   - session: The session.
  ///   - trigger: Why it was to be renewed.
  /// - Returns: `true` for another user's answer, and where nothing is left that serves.
  func endsSession(
    _ failure: RenewalFailure, _ session: OpenSession, _ trigger: RenewalTrigger
  ) -> Bool {
    guard case .terminal(let reason) = failure else { return false }
    guard reason != .identityMismatch, trigger != .refused else { return true }
    let now = clock.now()
    return !session.stored.proof.isUsable(since: session.renewed(at: now), at: now)
  }

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
      let doubt = try doubtOfSaved(account, isUsedUp: true)
      (failed.attempt, failed.fingerprint) = (doubt?.attempt, doubt?.fingerprint)
    }
    failed.isHalted = try isSavedRefused(by: error, account)
  }

  /// The refusal that ended the renewal of an account's session.
  ///
  /// - Parameter state: The account's state.
  /// - Returns: `token.refused`; `nil` where the session is renewed.
  /// - Throws: Storage failures.
  func refusedToken(of state: AccountState) throws(GatebookError) -> GatebookError? {
    guard let end = state.renewalEnd else { return nil }
    let failed = try reader.event(at: end.position)?.facts(of: RefreshFailed.self)
    return GatebookError(
      .tokenRefused, "The server rejected the refresh token, so the session cannot be renewed.",
      kept: "The account, its attributes and its history are kept.", remedy: "Log in again.",
      status: failed?.failure.status.map { Int($0) }, serverCode: failed?.failure.error)
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
    guard let state = try reader.state(of: session.context.account), state.isStill(session),
      let end = state.renewalEnd, let error = try refusedToken(of: state)
    else { return nil }
    // Who asks may send it once more where nothing else is left; who waited hears what another has just heard.
    let isAlone = try savedLogin(inPlaceOf: session) == nil
    let isSentTwice = state.unanswered >= SavedUse.maximumUses
    guard trigger.isAsked, isAlone, end.position <= session.state.position else { return error }
    return isSentTwice && trigger != .insisted ? error : nil
  }

  /// Ends a session that the server refused; for the reason that ended its renewal before, if it did.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - error: The refusal.
  /// - Throws: Storage failures.
  func endRefused(_ session: OpenSession, _ error: GatebookError) async throws(GatebookError) {
    let refusal = try refusedToken(of: session.state)
    let end = session.state.renewalEnd
    let isEnded = try await self.end(
      session.context, reason: end?.reason ?? .refused, cause: end?.position, error: error)
    if isEnded, let refusal { announce(refusal) }
  }

  /// Tells the login delegate that an account needs a login; whoever found it out does not wait for that.
  func announce(_ refusal: GatebookError) {
    Task { await tell([.failed(refusal)]) }
  }

  /// What keeps a refused session for one more try by hand: in truth the server may have refused the client.
  func keepingRefused(
    _ account: AccountID, _ generation: Int64
  ) throws(GatebookError) -> [Append.VaultChange] {
    guard let refused = try reader.secret(of: account, purpose: Purpose.session) else { return [] }
    return [
      .set(account, purpose: Purpose.refused, generation: generation, content: refused)
    ]
  }
}
