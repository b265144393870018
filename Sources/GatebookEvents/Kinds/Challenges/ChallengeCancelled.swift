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

  package static var blank: Self { Self(AskedChallenge(scheme: "")) }

  package mutating func code(with facts: inout some FactsCoder) {
    challenge.code(with: &facts)
    guard facts.hasDetails else { return }
    end.code(with: &facts)
    failure.code(with: &facts)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The server's request for \(challenge.words) was declined."
  }
}
