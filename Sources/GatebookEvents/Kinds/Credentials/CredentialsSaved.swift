/// `credentials.saved`: credentials were saved.
package struct CredentialsSaved: EventFacts {
  package static let kind = EventKind.credentialsSaved

  /// How.
  package var storage: CredentialStorage

  package init(purpose: String) {
    storage = CredentialStorage(purpose: purpose)
  }
}

extension CredentialsSaved {
  package static var blank: Self { Self(purpose: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    storage.code(with: &facts)
  }
}

extension CredentialsSaved {
  package func sentence(_ event: RecordedEvent) -> Sentence {
    storage.purpose == "login"
      ? "Credentials were saved that log the account in automatically."
      : "Credentials for \(storage.purpose.orUnknown) were saved."
  }
}
