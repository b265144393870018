/// `credentials.saved`: credentials were saved.
package struct CredentialsSaved: EventFacts {
  package static let kind = EventKind.credentialsSaved

  /// Whether the verifier of the password is saved too, or alone.
  package var isOffline: Bool = false
  /// `forSession`: they end with the session.
  package var persistence: String?
  /// `login`, `challenge` (credentials for challenges in front of the server) or `offline` (only
  /// the verifier of the password).
  package var purpose: String

  package init(purpose: String) {
    self.purpose = purpose
  }
}

extension CredentialsSaved {
  package static var blank: Self { Self(purpose: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("offline", &isOffline, unless: false)
    facts.code("persistence", &persistence)
    facts.code("purpose", &purpose)
  }
}

extension CredentialsSaved {
  package func sentence(_ event: RecordedEvent) -> Sentence {
    purpose == "login"
      ? "Credentials were saved that log the account in automatically."
      : "Credentials for \(purpose.orUnknown) were saved."
  }
}
