/// `registration.rejected`: a server does not know the registration any more.
package struct RegistrationRejected: EventFacts {
  package static let kind = EventKind.registrationRejected

  /// The client id.
  package var client: String?

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("client", &client)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The server rejected the client's registration."
  }
}
