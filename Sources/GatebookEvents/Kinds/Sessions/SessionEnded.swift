/// `session.ended`: the session is over.
package struct SessionEnded: EventFacts {
  package static let kind = EventKind.sessionEnded

  /// How often the refresh token was sent without an answer, if it is saved too.
  package var attempt: Int64?
  /// The fingerprint of that token.
  package var fingerprint: String?
  /// Whether the server refused the saved credentials.
  package var isHalted: Bool = false
  /// The name under which messages to the server are sealed.
  package var outbox: String?
  /// Why; `nil`: a reason that this version does not know.
  package var reason: EndReason?
  /// What went wrong.
  package var failure = Failure()

  package init(reason: EndReason? = nil) {
    self.reason = reason
  }
}

extension SessionEnded {
  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("attempt", &attempt)
    facts.code("code", &failure.code)
    facts.code("fingerprint", &fingerprint)
    facts.code("halted", &isHalted, unless: false)
    facts.code("outbox", &outbox)
    facts.code("reason", &reason)
    facts.code("status", &failure.status)
    guard facts.hasDetails else { return }
    facts.code("error", &failure.error)
    facts.code("fault", &failure.fault)
  }
}
