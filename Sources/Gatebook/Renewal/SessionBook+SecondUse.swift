/// The second use of a refresh token whose answer was lost: not within the same outage.
extension SessionBook {
  /// How long a use that needs it leaves the server alone after an answer was lost.
  private static let pause = Duration.seconds(2)

  /// Notes that a server has answered: the way to it is open.
  func heardFrom(_ server: Origin) { answers[server] = clock.now() }

  /// Why a refresh token whose answer was lost is not sent once more now: it waits until its server has answered
  /// something, or until a use needs it.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - trigger: Why it is to be renewed.
  /// - Returns: What a caller hears; `nil` where it may be sent.
  func heldSecondUse(_ session: OpenSession, _ trigger: RenewalTrigger) -> GatebookError? {
    let state = session.state
    guard !trigger.isAsked, session.stored.proof.isSpentByRenewal, state.unanswered > 0,
      let doubt = state.doubt
    else { return nil }
    let now = clock.now()
    if let verified = state.verifiedAt, verified > doubt.at { return nil }
    if let answer = answers[session.stored.proof.renewalOrigin], answer.wall > doubt.at {
      return nil
    }
    if trigger != .early {
      let passed = now.wall - doubt.at
      // A clock that was set back keeps nobody waiting.
      guard doubt.isHeard, passed >= .zero, passed < Self.pause else { return nil }
    }
    return GatebookError(
      .serverUnavailable,
      "The answer to a renewal was lost: the refresh token is not sent again within the same outage.",
      kept: "The session is kept.", remedy: "Try again in a moment.")
  }
}
