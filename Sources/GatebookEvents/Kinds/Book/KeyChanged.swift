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
}

extension KeyChanged {
  package static var blank: Self { Self(from: "", to: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("from", &from)
    facts.code("to", &to)
  }
}
