/// `book.opened`: another program or another key source opened the book than the last time.
package struct BookOpened: EventFacts {
  package static let kind = EventKind.bookOpened

  /// The kind of key source: `file`, `passphrase` or `secret-service`.
  package var keySource: String

  package init(keySource: String) {
    self.keySource = keySource
  }

  package static var blank: Self { Self(keySource: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("keySource", &keySource)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "Another installation, or one with another key, opened the book: \(event.author)."
  }
}
