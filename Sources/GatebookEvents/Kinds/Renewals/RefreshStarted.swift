/// `refresh.started`: a renewal is about to be sent; this event is in the log before that.
package struct RefreshStarted: EventFacts {
  package static let kind = EventKind.refreshStarted

  /// Which use of the same credential it is, from 1.
  package var attempt: Int64
  /// Until when an answer is waited for.
  package var deadline: Timestamp
  /// The fingerprint of the credential that this use may use up.
  package var fingerprint: String?
  /// The generation that it is to bring.
  package var generation: Int64
  /// `early`, `needed`, `undecided`, `401`, `asked` or `insisted`.
  package var trigger: String

  package init(attempt: Int64, deadline: Timestamp, generation: Int64, trigger: String) {
    self.attempt = attempt
    self.deadline = deadline
    self.generation = generation
    self.trigger = trigger
  }

  package static var blank: Self { Self(attempt: 1, deadline: .epoch, generation: 0, trigger: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("attempt", &attempt)
    facts.code("deadline", &deadline)
    facts.code("fingerprint", &fingerprint)
    facts.code("generation", &generation)
    guard facts.hasDetails else { return }
    facts.code("trigger", &trigger)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    // A password, or the client's own secret, has no fingerprint.
    let deed = fingerprint == nil ? "renew the session" : "send the refresh token"
    let again = attempt > 1 ? ", for the \(attempt.ordinal) time" : ""
    return "\(event.author) was about to \(deed)\(cause)\(again)."
  }

  private var cause: String {
    switch trigger {
    case "early": " well before the access token expired"
    case "needed": " because the access token was expiring"
    case "undecided": " because the server did not confirm the access token"
    case "401": " because the server had refused a request"
    case "asked": " because a renewal was requested"
    case "insisted": " because one more try was explicitly requested"
    default: ""
    }
  }
}
