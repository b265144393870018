/// `credentials.saved`: credentials were saved.
package struct CredentialsSaved: EventFacts {
  package static let kind = EventKind.credentialsSaved

  /// How.
  package var storage: CredentialStorage

  package init(purpose: String) {
    storage = CredentialStorage(purpose: purpose)
  }

  package static var blank: Self { Self(purpose: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    storage.code(with: &facts)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    storage.purpose == "login"
      ? "Credentials were saved that log the account in automatically."
      : "Credentials for \(storage.purpose.orUnknown) were saved."
  }
}

/// How credentials are or were saved, as an event says it.
package struct CredentialStorage: FactsRecord, Hashable, Sendable {
  /// Whether the verifier of the password is meant too, or alone.
  package var isOffline = false
  /// `forSession`: they end with the session.
  package var persistence: String?
  /// `login`, `challenge` (credentials for challenges in front of the server) or `offline` (only
  /// the verifier of the password).
  package var purpose: String

  package static var blank: Self { Self(purpose: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("offline", &isOffline, unless: false)
    facts.code("persistence", &persistence)
    facts.code("purpose", &purpose)
  }
}
