/// `credentials.removed`: saved credentials were removed.
package struct CredentialsRemoved: EventFacts {
  package static let kind = EventKind.credentialsRemoved

  /// Whether the verifier of the password was removed.
  package var isOffline: Bool = false
  /// `forSession`: they ended with the session.
  package var persistence: String?
  /// `login`, `challenge` (credentials for challenges in front of the server) or `offline` (only
  /// the verifier of the password).
  package var purpose: String

  package init(purpose: String) {
    self.purpose = purpose
  }
}

extension CredentialsRemoved {
  package static var blank: Self { Self(purpose: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("offline", &isOffline, unless: false)
    facts.code("persistence", &persistence)
    facts.code("purpose", &purpose)
  }
}

extension CredentialsRemoved {
  package func sentence(_ event: RecordedEvent) -> Sentence {
    purpose == "login"
      ? "\(event.author) removed the credentials that logged the account in automatically."
      : "\(event.author) removed the credentials for \(purpose.orUnknown)."
  }
}
