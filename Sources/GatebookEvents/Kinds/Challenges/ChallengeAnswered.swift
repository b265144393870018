/// `challenge.answered`: the challenge was answered; never with what.
package struct ChallengeAnswered: EventFacts {
  package static let kind = EventKind.challengeAnswered

  /// Which challenge.
  package var challenge: AskedChallenge
  /// How it ended.
  package var end = ChallengeEnd()

  package init(_ challenge: AskedChallenge) {
    self.challenge = challenge
  }
}

extension ChallengeAnswered {
  package static var blank: Self { Self(AskedChallenge(scheme: "")) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("check", &challenge.check)
    facts.code("source", &challenge.source)
    guard facts.hasDetails else { return }
    facts.code("dropped", &end.dropped)
    facts.code("fields", &end.fields)
    facts.code("fingerprint", &end.fingerprint)
    facts.code("flow", &challenge.flow)
    facts.code("name", &end.name)
    facts.code("proxy", &challenge.isOfProxy, unless: false)
    facts.code("remaining", &end.remaining)
    facts.code("round", &challenge.round)
    facts.code("scheme", &challenge.scheme)
  }
}

extension ChallengeAnswered {
  package func sentence(_ event: RecordedEvent) -> Sentence {
    challenge.isOffline
      ? "The password that \(event.author) checked without the server was correct."
      : "\(event.author) answered with \(challenge.words)."
  }
}
