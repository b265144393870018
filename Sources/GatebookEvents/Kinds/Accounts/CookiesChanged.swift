/// `cookies.changed`: the account's cookies are others.
package struct CookiesChanged: EventFacts {
  package static let kind = EventKind.cookiesChanged

  /// A list of `domain`, `expires`, `flags`, `name` and `path`; never a value.
  package var cookies: FactValue?

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("cookies", &cookies)
  }

  /// The cookies whose name or path is no plain one.
  package struct Personal: FactsRecord, Hashable, Sendable {
    /// The same list with all names and paths, cut to 256 bytes.
    package var cookies: FactValue?

    package init(cookies: FactValue? = nil) {
      self.cookies = cookies
    }

    package static var blank: Self { Self() }

    package mutating func code(with facts: inout some FactsCoder) {
      facts.code("cookies", &cookies)
    }
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The server set cookies."
  }
}
