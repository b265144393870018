/// `challenge.failed`: the challenge was not answered, or the answer was refused.
package struct ChallengeFailed: EventFacts {
  package static let kind = EventKind.challengeFailed

  /// Which challenge.
  package var challenge: AskedChallenge
  /// How it ended.
  package var end = ChallengeEnd()
  /// What went wrong.
  package var failure = Failure()
  /// Why no answer was sent: `declined`, `rejected`, `undecided`, `unfit`; or `refused`.
  package var reason: String?

  package init(_ challenge: AskedChallenge) {
    self.challenge = challenge
  }
}

extension ChallengeFailed {
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
    facts.code("reason", &reason)
    facts.code("remaining", &end.remaining)
    facts.code("round", &challenge.round)
    facts.code("scheme", &challenge.scheme)
    facts.code("status", &failure.status)
  }
}

extension ChallengeFailed {
  /// What is personal of it.
  package struct Personal: FactsRecord, Hashable, Sendable {
    /// What the check says.
    package var message: String?

    package init(message: String?) {
      self.message = message
    }

    package static var blank: Self { Self(message: nil) }

    package mutating func code(with facts: inout some FactsCoder) {
      facts.code("message", &message)
    }
  }
}
