/// `refresh.adopted`: another process had renewed the session, and its tokens were taken over.
///
/// The failure is that of the own renewal.
package struct RefreshAdopted: EventFacts {
  package static let kind = EventKind.refreshAdopted

  /// The generation that was taken over.
  package var generation: Int64?
  /// What went wrong.
  package var failure = Failure()

  package init(generation: Int64) {
    self.generation = generation
  }

  package static var blank: Self { Self(generation: 0) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("generation", &generation)
    guard facts.hasDetails else { return }
    failure.code(with: &facts)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "Renewal failed (\(failure.words(of: Self.kind))), but another program had renewed the session. Its "
      + "tokens are used now."
  }
}
