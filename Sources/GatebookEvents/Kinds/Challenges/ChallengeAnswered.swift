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

  package static var blank: Self { Self(AskedChallenge(scheme: "")) }

  package mutating func code(with facts: inout some FactsCoder) {
    challenge.code(with: &facts)
    guard facts.hasDetails else { return }
    end.code(with: &facts)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    challenge.isOffline
      ? "The password that \(event.author) checked without the server was correct."
      : "\(event.author) answered with \(challenge.words)."
  }
}
