/// `session.uncertain`: nobody knows whether the server renewed the session.
package struct SessionUncertain: EventFacts {
  package static let kind = EventKind.sessionUncertain

  /// How often the credential was sent without an answer.
  package var attempt: Int64?
  /// The generation that the renewal was to bring.
  package var generation: Int64
  /// What went wrong.
  package var failure = Failure()

  package init(generation: Int64) {
    self.generation = generation
  }
}

extension SessionUncertain {
  package static var blank: Self { Self(generation: 0) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("attempt", &attempt)
    facts.code("code", &failure.code)
    facts.code("generation", &generation)
    facts.code("status", &failure.status)
    guard facts.hasDetails else { return }
    facts.code("error", &failure.error)
    facts.code("fault", &failure.fault)
  }
}
