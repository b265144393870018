/// `revocation.queued`: the server is to be told that tokens are used no longer.
package struct RevocationQueued: EventFacts {
  package static let kind = EventKind.revocationQueued

  /// The name under which messages to the server are kept encrypted.
  package var outbox: String
  /// `late` for tokens that came after the end of their login, `forgotten` for a refresh token that
  /// is saved no longer.
  package var reason: String?

  package init(outbox: String) {
    self.outbox = outbox
  }

  package static var blank: Self { Self(outbox: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("outbox", &outbox)
    facts.code("reason", &reason)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    switch reason {
    case "forgotten":
      "Gatebook had to tell the server to revoke the saved refresh token, which was deleted from the book."
    case "late": "Gatebook had to tell the server to revoke tokens that are not used."
    default: "Gatebook had to tell the server to revoke the tokens that it had granted."
    }
  }
}
