/// Answers the challenges of one security check.
///
/// Register it under the check's exact name with ``AuthorizationManager/register(_:for:)``. Every challenge
/// must end with an answer or a cancel: ``AuthorizationManager/submitChallengeAnswer(_:to:)`` or
/// ``AuthorizationManager/cancel(_:)``, inside the callback or later. A class that is bound to an actor, such
/// as the main actor, is called there.
///
/// A wrong answer leads to a new challenge, never to a failure. The callbacks of one flow come one after the
/// other, before the call that began the flow returns, and have the flow's id. A cancelled flow does not wait
/// for a running callback, and no flow waits longer than the app's `challengeTimeout`: it then continues
/// without it.
///
/// Source: MobileFirst 8.0, security check challenge handler.
public protocol ChallengeHandler: Sendable {
  /// The check asks for an answer; the challenge is already recorded.
  func handleChallenge(_ challenge: SecurityCheckChallenge) async

  /// The check has succeeded, after an answer or without one.
  func handleSuccess(_ success: SecurityCheckSuccess) async

  /// The check accepts no answer; the call that began the flow fails next.
  func handleFailure(_ failure: SecurityCheckFailure) async
}

extension ChallengeHandler {
  /// Does nothing.
  public func handleSuccess(_ success: SecurityCheckSuccess) async {}

  /// Does nothing.
  public func handleFailure(_ failure: SecurityCheckFailure) async {}
}
