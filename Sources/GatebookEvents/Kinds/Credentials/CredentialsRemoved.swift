/// `credentials.removed`: saved credentials were removed.
package struct CredentialsRemoved: EventFacts {
  package static let kind = EventKind.credentialsRemoved

  /// How they were saved.
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
      ? "\(event.author) removed the credentials that logged the account in automatically."
      : "\(event.author) removed the credentials for \(storage.purpose.orUnknown)."
  }
}
