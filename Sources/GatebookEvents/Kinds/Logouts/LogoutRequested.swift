/// `logout.requested`: somebody ended the session.
package struct LogoutRequested: EventFacts {
  package static let kind = EventKind.logoutRequested

  /// How often the refresh token was sent without an answer, if it is saved too.
  package var attempt: Int64?
  /// `user`, `policy` (a rule of the app) or `erase` (the account is about to be erased).
  package var by: String
  /// The fingerprint of that token.
  package var fingerprint: String?
  /// The name under which messages to the server are kept encrypted.
  package var outbox: String?

  package init(by: String) {
    self.by = by
  }

  package static var blank: Self { Self(by: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("attempt", &attempt)
    facts.code("by", &by)
    facts.code("fingerprint", &fingerprint)
    facts.code("outbox", &outbox)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "\(event.author) logged the account out, because \(cause)."
  }

  private var cause: String {
    switch by {
    case "policy": "a policy of the app requires it"
    case "erase": "it was being erased"
    default: "the user asked for it"
    }
  }
}
