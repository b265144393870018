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

  package static var blank: Self { Self(reason: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("reason", &reason)
    facts.code("scope", &scope)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The token\(String.quotedScope(scope)) was discarded: \(cause)."
  }

  private var cause: String {
    switch reason {
    case "asked": "the app asked for it"
    case "refused": "the server refused it"
    case "registration": "the client registered again"
    case "logout": "the user logged out of its service"
    default: "no reason was recorded"
    }
  }
}
