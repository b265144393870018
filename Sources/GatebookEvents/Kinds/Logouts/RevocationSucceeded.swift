/// `revocation.succeeded`: the server was told.
package struct RevocationSucceeded: EventFacts {
  package static let kind = EventKind.revocationSucceeded

  /// The name under which messages to the server are kept encrypted.
  package var outbox: String?
  /// The status of its answer.
  package var status: Int64
  /// How many attempts it took.
  package var tries: Int64

  package init(status: Int64, tries: Int64) {
    self.status = status
    self.tries = tries
  }

  package static var blank: Self { Self(status: 0, tries: 0) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("outbox", &outbox)
    guard facts.hasDetails else { return }
    facts.code("status", &status)
    facts.code("tries", &tries)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    guard status < 400 else {
      return
        "The server was told to revoke the tokens that it had granted, and answered \(status): it had nothing "
        + "to revoke, or did not do it."
    }
    return outbox == nil
      ? "The server revoked tokens that are not used."
      : "The server was told to revoke the tokens that it had granted, and accepted."
  }
}
