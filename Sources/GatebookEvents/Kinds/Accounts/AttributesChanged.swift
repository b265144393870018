/// `attributes.changed`: the user's attributes are others.
package struct AttributesChanged: EventFacts {
  package static let kind = EventKind.attributesChanged

  /// The names that changed, as far as they are plain names.
  package var keys: [String]

  package init(keys: [String]) {
    self.keys = keys
  }

  package static var blank: Self { Self(keys: []) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("keys", &keys)
  }

  /// What the server says about the user.
  package struct Personal: FactsRecord, Hashable, Sendable {
    /// The complete set after the change.
    package var attributes: FactValue?

    package init(attributes: FactValue? = nil) {
      self.attributes = attributes
    }

    package static var blank: Self { Self() }

    package mutating func code(with facts: inout some FactsCoder) {
      facts.code("attributes", &attributes)
    }
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The server sent new attributes of the user."
  }
}
