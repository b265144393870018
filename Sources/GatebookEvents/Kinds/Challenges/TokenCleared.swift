/// `token.cleared`: a token of MobileFirst is used no longer.
package struct TokenCleared: EventFacts {
  package static let kind = EventKind.tokenCleared

  /// `asked`, `refused`, `registration` or `logout`.
  package var reason: String
  /// Its scope; `nil`: all tokens.
  package var scope: String?

  package init(reason: String) {
    self.reason = reason
  }
}

extension TokenCleared {
  package static var blank: Self { Self(reason: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("reason", &reason)
    facts.code("scope", &scope)
  }
}
