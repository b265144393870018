/// `registration.created`: a server registered this installation as a client.
package struct RegistrationCreated: EventFacts {
  package static let kind = EventKind.registrationCreated

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
    "The client registered with the server."
  }
}

/// The client that a server registered, as an event says it.
package struct RegisteredClient: FactsRecord, Hashable, Sendable {
  /// The client id that the server gave.
  package var id: String?
  /// The former client id.
  package var former: String?
  /// The thumbprint of the client's key (RFC 7638).
  package var key: String

  package static var blank: Self { Self(key: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("client", &id)
    facts.code("former", &former)
    facts.code("key", &key)
  }
}
