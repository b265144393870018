/// The second use of a refresh token whose answer was lost: not within the same outage.
extension Renewals {
  /// How long a use that needs it leaves the server alone after an answer was lost.
  private static let pause = Duration.seconds(2)

  /// Why a refresh token whose answer was lost is not sent once more now: it waits until its server
  /// has answered something, or until a use needs it.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - trigger: Why it is to be renewed.
  /// - Returns: What a caller hears; `nil` where it may be sent.
  func heldSecondUse(_ session: OpenSession, _ trigger: RenewalTrigger) -> GatebookError? {
    let state = session.state
    guard !trigger.isAsked, session.stored.proof.isSingleUse, state.unanswered > 0,
      let doubt = state.doubt
    else { return nil }
    let now = ledger.clock.now()
    if let verified = state.verifiedAt, verified > doubt.at { return nil }
    if hasAnswered(session.stored.proof, since: doubt.at) { return nil }
    if trigger != .early {
      guard doubt.isHeard, isWithinOutage(doubt.at, now) else { return nil }
    }
    return Self.withinOutage
  }

  /// Why a saved refresh token, whose answer to a login was lost, is not sent once more now.
  ///
  /// - Parameters:
  ///   - saved: What was saved.
  ///   - account: Whose.
  /// - Returns: What a caller hears; `nil` where it may be sent.
  /// - Throws: Storage failures.
  func heldSecondUse(
    ofSaved saved: StoredSession, _ account: AccountID
  ) throws(GatebookError) -> GatebookError? {
    guard saved.proof.isSingleUse,
      let use = try ledger.reader.state(of: account)?.savedUse, !use.isOpen, !use.isUsedUp,
      use.unanswered > 0,
      let fingerprint = try ledger.fingerprint(of: saved.proof, for: account),
      use.fingerprint == fingerprint,
      let lost = try ledger.reader.event(at: use.position)?.at,
      !hasAnswered(saved.proof, since: lost),
      isWithinOutage(lost, ledger.clock.now())
    else { return nil }
    return Self.loginWithinOutage
  }

  /// Whether the server that renews a session has answered since an answer was lost.
  private func hasAnswered(_ proof: any SessionProof, since lost: Timestamp) -> Bool {
    ledger.hasAnswered(proof.renewable?.renewalOrigin ?? proof.origin, since: lost)
  }

  /// Whether an answer was lost a moment ago.
  ///
  /// A clock that was set back keeps nobody waiting.
  private func isWithinOutage(_ lost: Timestamp, _ now: Moment) -> Bool {
    (Duration.zero..<Self.pause).contains(now.wall - lost)
  }

  private static let withinOutage = GatebookError(
    .serverUnavailable,
    "The answer to a renewal was lost. Gatebook does not send the refresh token again during the same "
      + "outage.",
    kept: "The session is kept.", remedy: "Try again in a moment.")

  private static let loginWithinOutage = GatebookError(
    .serverUnavailable,
    "The answer to a login with saved credentials was lost. Gatebook does not send the refresh token "
      + "again during the same outage.",
    kept: "The account and its saved credentials are kept.", remedy: "Try again in a moment.")
}
