/// `book.created`: the book was made.
package struct BookCreated: EventFacts {
  package static let kind = EventKind.bookCreated

  /// The public key of checkpoints, hexadecimal.
  package var checkpointKey: String
  /// The kind of key source: `file`, `passphrase` or `secret-service`.
  package var keySource: String
  /// How many migrations are applied.
  package var schema: Int64

  package init(checkpointKey: String, keySource: String, schema: Int64) {
    self.checkpointKey = checkpointKey
    self.keySource = keySource
    self.schema = schema
  }

  package static var blank: Self { Self(checkpointKey: "", keySource: "", schema: 0) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("checkpointKey", &checkpointKey)
    facts.code("keySource", &keySource)
    facts.code("schema", &schema)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "\(event.author) created the book."
  }
}
