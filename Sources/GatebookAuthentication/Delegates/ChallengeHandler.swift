public import GatebookEvents

/// Answers the challenges of one security check.
///
/// Register it under the check's exact name with ``AuthorizationManager/register(_:for:)``. Every
/// challenge must end with an answer or a cancel:
/// ``AuthorizationManager/submitChallengeAnswer(_:to:)`` or ``AuthorizationManager/cancel(_:)``,
/// inside the callback or later. A class that is bound to an actor, such as the main actor, is
/// called there.
///
/// A wrong answer leads to a new challenge, never to a failure. The callbacks of one flow come one
/// after the other, before the call that began the flow returns, and have the flow's id. A
/// cancelled flow does not wait for a running callback, and no flow waits longer than the app's
/// `challengeTimeout`: it then continues without it.
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

/// A question that a server, or a proxy in front of it, asks before it answers.
public struct Challenge: Sendable {
  /// What is asked.
  public enum Question: Sendable, Hashable {
    /// User name and password, by a scheme such as `basic` or `digest` (RFC 9110 section 11).
    case credentials(scheme: String, realm: String?)
    /// A token, a signature or a security check, by a scheme such as `bearer`, `oauth` or
    /// `mfp-challenge`; a user name and password cannot answer it.
    ///
    /// The login method has the answer or gets it, with
    /// ``ChallengeDecision/performDefaultHandling``.
    case token(scheme: String, realm: String?)
    /// Whether to accept a certificate with defects.
    case serverTrust(ServerCertificate)
  }

  /// What is asked.
  public let question: Question
  /// Who asks: the server, or the proxy on the way to it.
  public let server: Origin
  /// Whether a proxy asks (RFC 9110 section 11.7); its credential is never sent to a server.
  public let isProxy: Bool
  /// The account of the request; `nil` in a login whose account is not known yet.
  public let account: AccountID?
  /// The session or login attempt of the request; `nil` for a request of an
  /// ``AuthorizationManager`` that has neither yet.
  public let session: SessionID?
  /// How many credentials this protection space has rejected in this request or login, including
  /// those that the method sent automatically, such as a renewed token.
  public let previousFailureCount: Int

  /// Makes a challenge, such as for the test of a resolver.
  public init(
    question: Question, server: Origin, isProxy: Bool = false, account: AccountID? = nil,
    session: SessionID? = nil, previousFailureCount: Int = 0
  ) {
    self.question = question
    self.server = server
    self.isProxy = isProxy
    self.account = account
    self.session = session
    self.previousFailureCount = previousFailureCount
  }
}
