/// `key.changed`: the master key has another place.
package struct KeyChanged: EventFacts {
  package static let kind = EventKind.keyChanged

  /// The former kind of key source.
  package var from: String
  /// The present kind of key source.
  package var to: String

  package init(from: String, to: String) {
    self.from = from
    self.to = to
  }

  package static var blank: Self { Self(from: "", to: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("from", &from)
    facts.code("to", &to)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "\(event.author) moved the master key from \(from.orUnknown) to \(to.orUnknown)."
  }

  /// The stored facts as people read them: a key that moves from `file` to `file` moves to another
  /// one.
  package static func shown(_ stored: Facts) -> Facts {
    let changed = Self(stored)
    guard changed.from == changed.to, !changed.to.isEmpty else { return stored }
    var facts = stored
    facts["to"] = .text("another \(changed.to)")
    return facts
  }
}
