/// What waits for a server, as an event says it.
package struct Delivery: Hashable, Sendable {
  /// The name under which messages to the server are sealed; `nil` for none.
  package var outbox: String?
}

extension Delivery: FactsRecord {
  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("outbox", &outbox)
  }
}
