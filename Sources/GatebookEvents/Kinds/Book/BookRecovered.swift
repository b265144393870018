/// `book.recovered`: the book was made of what was found in a damaged one.
package struct BookRecovered: EventFacts {
  package static let kind = EventKind.bookRecovered

  /// The public key of checkpoints, hexadecimal.
  package var checkpointKey = ""
  /// The last position that the recovery covers.
  package var from = Position.start
  /// The root over the leaves of the events that were kept, hexadecimal.
  package var kept: String?
  /// The kind of key source: `file`, `passphrase` or `secret-service`.
  package var keySource = ""
  /// How many events were lost.
  package var lost: Int64 = 0
  /// The root over the events up to `from`, hexadecimal.
  package var root = ""
  /// The root over the state that the book begins with, hexadecimal.
  package var state = ""
  /// Runs of events, each a list of its first and its last position, that were complete and did not
  /// match their stored root: at most 64; the last one means the rest.
  package var suspect: [ClosedRange<Int64>] = []
  /// What could not be known: `beginning` or `end`.
  package var unknown: [String]?

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("checkpointKey", &checkpointKey)
    facts.code("from", &from)
    facts.code("kept", &kept)
    facts.code("keySource", &keySource)
    facts.code("lost", &lost)
    facts.code("root", &root)
    facts.code("state", &state)
    facts.code("suspect", &suspect, unless: [])
    facts.code("unknown", &unknown)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "\(event.author) recovered the book from a damaged one. It continues from what could be read."
  }
}
