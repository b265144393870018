/// What an app decides about a challenge: exactly one of these.
///
/// Source: Liferay Screens, `challengeResolver`; the names are those of `URLSession`.
public enum ChallengeDecision: Sendable {
  /// Answer with this user name and password. If they cannot answer the question, the next challenge of the
  /// same answer is asked.
  case useCredential(ChallengeCredential)
  /// Accept exactly this key on this host and port, with the defects that it showed. The decision is recorded
  /// and is valid for the account until it is revoked.
  case acceptCertificate
  /// Do what happens without a resolver: the method's own credentials, tokens and handlers answer, or the
  /// refusal is final.
  case performDefaultHandling
  /// Cancel the request.
  case cancelAuthenticationChallenge
  /// Try the next challenge of the same answer.
  case rejectProtectionSpace
}
