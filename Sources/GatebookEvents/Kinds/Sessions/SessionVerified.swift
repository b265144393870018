/// `session.verified`: the server confirmed the session.
package struct SessionVerified: EventFacts {
  package static let kind = EventKind.sessionVerified

  /// The boot clock.
  package var boot: Duration?
  /// Which start of the machine that clock counts from.
  package var bootID: BootID?
  /// The rule that an ID token breaks whose key became known only now.
  package var idToken: String?

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("boot", &boot)
    facts.code("bootID", &bootID)
    guard facts.hasDetails else { return }
    facts.code("idToken", &idToken)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The server confirmed the session.\(Grant.ignored(idToken))"
  }
}
