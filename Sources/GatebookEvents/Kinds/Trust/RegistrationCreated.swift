/// `registration.created`: a server registered this installation as a client.
package struct RegistrationCreated: EventFacts {
  package static let kind = EventKind.registrationCreated

  /// The client.
  package var client: RegisteredClient

  package init(key: String) {
    client = RegisteredClient(key: key)
  }
}

extension RegistrationCreated {
  package static var blank: Self { Self(key: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    client.code(with: &facts)
  }
}

extension RegistrationCreated {
  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The client registered with the server."
  }
}
