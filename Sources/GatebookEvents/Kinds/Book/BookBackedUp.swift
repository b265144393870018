/// `book.backedUp`: a copy of the book is complete.
package struct BookBackedUp: EventFacts {
  package static let kind = EventKind.bookBackedUp

  /// The row of `copy` that describes it.
  package var copy: CopyID
  /// How many events the copy has.
  package var events: Int64

  package init(copy: CopyID, events: Int64) {
    self.copy = copy
    self.events = events
  }

  package static var blank: Self { Self(copy: CopyID(high: 0, low: 0), events: 0) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("copy", &copy)
    facts.code("events", &events)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "\(event.author) made a copy of the book, up to its position \(events)."
  }
}
