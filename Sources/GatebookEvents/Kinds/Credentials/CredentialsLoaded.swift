/// `credentials.loaded`: saved credentials are about to be used.
package struct CredentialsLoaded: EventFacts {
  package static let kind = EventKind.credentialsLoaded

  /// Which use of credentials for one use it is, from 1.
  package var attempt: Int64?
  /// The fingerprint of such credentials.
  package var fingerprint: String?
  /// `login`, `challenge` (credentials for challenges in front of the server) or `offline` (only
  /// the verifier of the password).
  package var purpose: String

  package init(purpose: String) {
    self.purpose = purpose
  }

  package static var blank: Self { Self(purpose: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("attempt", &attempt)
    facts.code("fingerprint", &fingerprint)
    facts.code("purpose", &purpose)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    guard let attempt, attempt > 1 else {
      return "\(event.author) used the saved credentials to log the account in again."
    }
    return
      "\(event.author) used the saved credentials to log the account in again, for the \(attempt.ordinal) "
      + "time: no answer to an earlier use was recorded."
  }
}
