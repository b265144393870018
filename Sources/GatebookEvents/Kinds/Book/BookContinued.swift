/// `book.continued`: the book continues from an archive.
package struct BookContinued: EventFacts {
  package static let kind = EventKind.bookContinued

  /// The public key of checkpoints, hexadecimal.
  package var checkpointKey: String
  /// The version of the code that computed the state; older versions did not record it.
  package var folds: Int64?
  /// The last position in the archive.
  package var from: Position
  /// The kind of key source: `file`, `passphrase` or `secret-service`.
  package var keySource: String
  /// The root over the events up to `from`, hexadecimal.
  package var root: String
  /// The root over the state that the book begins with, hexadecimal.
  package var state: String

  package init(
    checkpointKey: String, from: Position, keySource: String, root: String, state: String
  ) {
    self.checkpointKey = checkpointKey
    self.from = from
    self.keySource = keySource
    self.root = root
    self.state = state
  }

  package static var blank: Self {
    Self(checkpointKey: "", from: .start, keySource: "", root: "", state: "")
  }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("checkpointKey", &checkpointKey)
    facts.code("folds", &folds)
    facts.code("from", &from)
    facts.code("keySource", &keySource)
    facts.code("root", &root)
    facts.code("state", &state)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "\(event.author) moved the earlier events into an archive. The book continues with the same sessions."
  }
}
