/// What a login method wants done next.
public enum Step: Sendable {
  /// Send this request, exactly once, and hand in its reply or its failure.
  case send(HTTPRequest)
  /// The login succeeded; the outcome is recorded in one transaction.
  case finish(Outcome)
}
