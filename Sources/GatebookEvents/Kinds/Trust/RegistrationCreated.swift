/// `registration.created`: a server registered this installation as a client.
package struct RegistrationCreated: EventFacts {
  package static let kind = EventKind.registrationCreated

  /// The client id that the server gave.
  package var client: String?
  /// The former client id.
  package var former: String?
  /// The thumbprint of the client's key (RFC 7638).
  package var key: String

  package init(key: String) {
    self.key = key
  }
}

extension RegistrationCreated {
  package static var blank: Self { Self(key: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("client", &client)
    facts.code("former", &former)
    facts.code("key", &key)
  }
}

extension RegistrationCreated {
  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The client registered with the server."
  }
}
