/// `token.granted`: MobileFirst gave a token.
package struct TokenGranted: EventFacts {
  package static let kind = EventKind.tokenGranted

  /// The flow.
  package var flow: FlowID
  /// How long it is valid.
  package var lifetime: Duration?
  /// Its scope.
  package var scope: String?

  package init(flow: FlowID, lifetime: Duration?) {
    self.flow = flow
    self.lifetime = lifetime
  }

  package static var blank: Self { Self(flow: FlowID(high: 0, low: 0), lifetime: nil) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("flow", &flow)
    facts.code("lifetime", &lifetime)
    facts.code("scope", &scope)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The server granted a token\(String.quotedScope(scope)).\(Life.sentence(lifetime, of: "access token"))"
  }
}
