/// `book.migrated`: a newer program updated the schema.
package struct BookMigrated: EventFacts {
  package static let kind = EventKind.bookMigrated

  /// How many migrations were applied before.
  package var from: Int64
  /// How many migrations are applied.
  package var schema: Int64

  package init(from: Int64, schema: Int64) {
    self.from = from
    self.schema = schema
  }

  package static var blank: Self { Self(from: 0, schema: 0) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("from", &from)
    facts.code("schema", &schema)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "\(event.author) updated the book's tables."
  }
}
