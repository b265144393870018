/// `session.ended`: the session is over.
package struct SessionEnded: EventFacts {
  package static let kind = EventKind.sessionEnded

  /// How often the refresh token was sent without an answer, if it is saved too.
  package var attempt: Int64?
  /// The fingerprint of that token.
  package var fingerprint: String?
  /// Whether the server refused the saved credentials.
  package var isHalted: Bool = false
  /// The name under which messages to the server are kept encrypted.
  package var outbox: String?
  /// The name of the reason; a newer version may know more of them.
  private var reasonName: String?
  /// Why; `nil`: a reason that this version does not know.
  package var reason: EndReason? {
    get { reasonName.flatMap(EndReason.init) }
    set { reasonName = newValue?.rawValue }
  }
  /// What went wrong.
  package var failure = Failure()

  package init(reason: EndReason? = nil) {
    self.reason = reason
  }

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("attempt", &attempt)
    facts.code("fingerprint", &fingerprint)
    facts.code("halted", &isHalted, unless: false)
    facts.code("outbox", &outbox)
    facts.code("reason", &reasonName)
    guard facts.hasDetails else { return }
    failure.code(with: &facts)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    sentence(event, because: "\(cause)\(failure.said)")
  }

  /// The same, with a cause that others have found.
  package func sentence(_ event: RecordedEvent, because cause: Sentence) -> Sentence {
    // How a renewal was refused, the step before it tells.
    let isRefusedInUse = failure.status != nil && failure.code == .sessionRefused
    let isAnswered = reason == .identityMismatch || isRefusedInUse
    return "The session ended: " + cause + "."
      + (isAnswered ? " The request came from \(event.author)." : "")
  }

  /// Whether it tells of an end that nobody's answer has brought.
  package var isUnanswered: Bool {
    failure.code == nil && reason == .refusedAfterUnknownOutcome
  }

  private var cause: String {
    if isUnanswered { return EndReason.unknownOutcome }
    return reason?.meaning ?? reasonName ?? "no reason was recorded"
  }
}

extension RecordedEvent {
  /// Whether a session has ended by it, or had ended before and is known to be over since.
  package var endsSession: Bool { isKind(SessionEnded.kind) || isKind(SessionExpired.kind) }

  /// Why a session ended by it; `nil` for any other event, or a reason that it does not tell.
  package var endReason: EndReason? {
    facts(of: SessionEnded.self)?.reason ?? facts(of: SessionExpired.self)?.reason
  }
}
