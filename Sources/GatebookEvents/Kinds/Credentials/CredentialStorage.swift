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
