/// `challenge.cancelled`: a person gave the challenge up.
package struct ChallengeCancelled: EventFacts {
  package static let kind = EventKind.challengeCancelled

  /// Which challenge.
  package var challenge: AskedChallenge
  /// How it ended.
  package var end = ChallengeEnd()
  /// What went wrong.
  package var failure = Failure()

  package init(_ challenge: AskedChallenge) {
    self.challenge = challenge
  }
}

extension ChallengeCancelled {
  package static var blank: Self { Self(AskedChallenge(scheme: "")) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("check", &challenge.check)
    facts.code("source", &challenge.source)
    guard facts.hasDetails else { return }
    facts.code("code", &failure.code)
    facts.code("dropped", &end.dropped)
    facts.code("error", &failure.error)
    facts.code("fault", &failure.fault)
    facts.code("fields", &end.fields)
    facts.code("fingerprint", &end.fingerprint)
    facts.code("flow", &challenge.flow)
    facts.code("name", &end.name)
    facts.code("proxy", &challenge.isOfProxy, unless: false)
    facts.code("remaining", &end.remaining)
    facts.code("round", &challenge.round)
    facts.code("scheme", &challenge.scheme)
    facts.code("status", &failure.status)
  }
}

extension ChallengeCancelled {
  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The server's request for \(challenge.words) was declined."
  }
}
