/// What an app decides about a challenge: exactly one of these.
///
/// Source: Liferay Screens, `challengeResolver`; the names are those of `URLSession`.
public enum ChallengeDecision: Sendable {
  /// Answer with this name and password; for a question that they do not answer, the next challenge
  /// of the same answer is asked about.
  case useCredential(ChallengeCredential)
  /// Accept exactly this key on this host and port with the defects that it showed; the decision is
  /// recorded and holds for the account until it is revoked.
  case acceptCertificate
  /// Go on as without a resolver: the method's own credentials, tokens and handlers answer, or the
  /// refusal stands.
  case performDefaultHandling
  /// Give up the request.
  case cancelAuthenticationChallenge
  /// Ask about the next challenge of the same answer.
  case rejectProtectionSpace
}
