/// `account.added`: a user logged in for the first time.
package struct AccountAdded: EventFacts {
  package static let kind = EventKind.accountAdded

  /// The client through which the user logs in, as configured.
  package var client: String?
  /// Whether a label is encrypted with it.
  package var isLabelled: Bool = false
  /// The login method.
  package var method: String
  /// The server.
  package var server: String

  package init(method: String, server: String) {
    self.method = method
    self.server = server
  }

  package static var blank: Self { Self(method: "", server: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("client", &client)
    facts.code("labelled", &isLabelled, unless: false)
    facts.code("method", &method)
    facts.code("server", &server)
  }

  /// Who the account is.
  package struct Personal: FactsRecord, Hashable, Sendable {
    /// The label.
    package var label: String?
    /// Who logged in.
    package var person: LoginSucceeded.Personal

    package init(label: String?, _ person: LoginSucceeded.Personal) {
      self.label = label
      self.person = person
    }

    package static var blank: Self { Self(label: nil, .blank) }

    package mutating func code(with facts: inout some FactsCoder) {
      facts.code("label", &label)
      person.code(with: &facts)
    }
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The account was added to the book: \(method.orUnknown) at \(server.orUnknown)."
  }
}
