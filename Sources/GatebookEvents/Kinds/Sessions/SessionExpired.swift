/// `session.expired`: the session has outlived its life, and cannot be renewed.
package struct SessionExpired: EventFacts {
  package static let kind = EventKind.sessionExpired

  /// Why its renewal had ended.
  package var reason: EndReason?

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("reason", &reason)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The session expired, and nothing had renewed it."
  }
}
