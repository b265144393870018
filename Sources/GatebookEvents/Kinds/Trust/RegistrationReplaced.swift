/// `registration.replaced`: a server registered this installation again.
package struct RegistrationReplaced: EventFacts {
  package static let kind = EventKind.registrationReplaced

  /// The client.
  package var client: RegisteredClient

  package init(key: String) {
    client = RegisteredClient(key: key)
  }

  package static var blank: Self { Self(key: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    client.code(with: &facts)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The client registered with the server again."
  }
}
