/// `registration.replaced`: a server registered this installation anew.
package struct RegistrationReplaced: EventFacts {
  package static let kind = EventKind.registrationReplaced

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

extension RegistrationReplaced {
  package static var blank: Self { Self(key: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("client", &client)
    facts.code("former", &former)
    facts.code("key", &key)
  }
}

extension RegistrationReplaced {
  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The client registered with the server again."
  }
}
