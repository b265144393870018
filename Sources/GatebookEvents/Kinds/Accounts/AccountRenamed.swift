/// `account.renamed`: the account has another label.
package struct AccountRenamed: EventFacts {
  package static let kind = EventKind.accountRenamed

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {}

  /// The name that the account got.
  package struct Personal: FactsRecord, Hashable, Sendable {
    /// The label.
    package var label: String

    package init(label: String) {
      self.label = label
    }

    package static var blank: Self { Self(label: "") }

    package mutating func code(with facts: inout some FactsCoder) {
      facts.code("label", &label)
    }
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "\(event.author) renamed the account."
  }
}
