/// `refresh.discarded`: the answer to a renewal came for a session that was over.
package struct RefreshDiscarded: EventFacts {
  package static let kind = EventKind.refreshDiscarded

  /// The generation that it brought.
  package var generation: Int64
  /// The name under which messages to the server are kept encrypted.
  package var outbox: String?
  /// Whether the renewal used up what the user saved, and the new one is saved instead.
  package var isSaved: Bool = false

  package init(generation: Int64) {
    self.generation = generation
  }

  package static var blank: Self { Self(generation: 0) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("generation", &generation)
    facts.code("outbox", &outbox)
    facts.code("saved", &isSaved, unless: false)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The answer to a renewal by \(event.author) came too late: the session had ended or been replaced. Its "
      + (outbox == nil ? "tokens are not used." : "tokens are being revoked.")
      + (isSaved ? " Only its refresh token is kept: it replaces the saved one." : "")
  }
}
