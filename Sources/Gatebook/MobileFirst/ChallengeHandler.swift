/// Answers the challenges of one security check.
///
/// Registered under the check's exact name with ``AuthorizationManager/register(_:for:)``. Every
/// challenge has to end in an answer or a cancel: ``AuthorizationManager/submitChallengeAnswer(_:to:)``
/// or ``AuthorizationManager/cancel(_:)``, from inside the callback or at any time later. A class
/// bound to an actor, such as the main actor, is called there.
///
/// A wrong answer comes back as a new challenge, never as a failure. The callbacks of one flow come
/// one after the other, before the call that began the flow returns, and carry its name. A flow that
/// is cancelled does not wait for the callback under way, and none waits for one longer than the
/// app's `challengeTimeout`: it then goes on without it.
///
/// Source: MobileFirst 8.0, security check challenge handler.
public protocol ChallengeHandler: Sendable {
  /// The check asks for an answer; the challenge is in the book already.
  func handleChallenge(_ challenge: SecurityCheckChallenge) async

  /// The check has succeeded, after an answer or without one.
  func handleSuccess(_ success: SecurityCheckSuccess) async

  /// The check refuses whatever is answered; the call that began the flow fails next.
  func handleFailure(_ failure: SecurityCheckFailure) async
}

extension ChallengeHandler {
  /// Does nothing.
  public func handleSuccess(_ success: SecurityCheckSuccess) async {}

  /// Does nothing.
  public func handleFailure(_ failure: SecurityCheckFailure) async {}
}
