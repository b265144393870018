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

  package static var blank: Self { Self(AskedChallenge(scheme: "")) }

  package mutating func code(with facts: inout some FactsCoder) {
    challenge.code(with: &facts)
    guard facts.hasDetails else { return }
    end.code(with: &facts)
    failure.code(with: &facts)
    facts.code("reason", &reason)
  }

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

  package func sentence(_ event: RecordedEvent) -> Sentence {
    if event.isStrayRedirect { return .strayRedirect(failure, event) }
    if challenge.isOffline {
      return
        "The password that \(event.author) checked without the server was wrong.\(attemptsLeft)"
    }
    if failure.code == .challengeBlocked {
      let place =
        challenge.isSecurityCheck
        ? "to its security check\(challenge.name)" : "to its request for \(challenge.words)"
      return "The server has blocked further answers \(place)."
    }
    if challenge.isSecurityCheck {
      return
        "\(event.author) failed to answer the server's security check\(challenge.name): \(refusal)."
        + "\(attemptsLeft)"
    }
    return switch challenge.scheme {
    case "redirect" where failure.code == nil && reason == nil:
      "Nobody returned from the server's login page in time."
    case "device" where failure.code == nil:
      "Nobody entered the code on another device, or the server did not accept it."
    default: "The server's request for \(challenge.words) failed: \(refusal)."
    }
  }

  private var attemptsLeft: String {
    switch end.remaining {
    case 0? where !challenge.isOffline: " No attempts are left."
    case 0?: " No attempts are left: only a login at the server allows offline logins again."
    case let count?: " Tries left: \(count)."
    case nil: ""
    }
  }

  private var refusal: String {
    switch reason {
    case "declined": "the default answer was used, which refuses"
    case "rejected": "the application rejected it"
    case "undecided": "no answer came in time"
    case "unfit": "the application cannot answer it"
    case "refused": "the server refused the answer"
    default: failure.code == nil ? "it was wrong" : failure.words(of: Self.kind)
    }
  }
}
