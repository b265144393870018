/// `challenge.received`: somebody asks for something before the request is answered.
package struct ChallengeReceived: EventFacts {
  package static let kind = EventKind.challengeReceived

  /// Which challenge.
  package var challenge: AskedChallenge
  /// The server's code for a stronger login that it wants.
  package var error: String?
  /// Which registration of a handler was called, from 1.
  package var handler: Int64?
  /// The time between two questions from then on.
  package var interval: Duration?
  /// How old a stronger login may be.
  package var maximumAge: Duration?
  /// How many attempts remain.
  package var remaining: Int64?

  package init(_ challenge: AskedChallenge) {
    self.challenge = challenge
  }
}

extension ChallengeReceived {
  package static var blank: Self { Self(AskedChallenge(scheme: "")) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("check", &challenge.check)
    facts.code("source", &challenge.source)
    guard facts.hasDetails else { return }
    facts.code("error", &error)
    facts.code("flow", &challenge.flow)
    facts.code("handler", &handler)
    facts.code("interval", &interval)
    facts.code("maximumAge", &maximumAge)
    facts.code("proxy", &challenge.isOfProxy, unless: false)
    facts.code("remaining", &remaining)
    facts.code("round", &challenge.round)
    facts.code("scheme", &challenge.scheme)
  }
}

extension ChallengeReceived {
  /// What the server says with it.
  package struct Personal: FactsRecord, Hashable, Sendable {
    /// The authentication context classes that the server wants, with blanks between.
    package var acr: String?
    /// What the check says.
    package var message: String?
    /// The realm.
    package var realm: String?
    /// The scopes that the server wants, with blanks between.
    package var scope: String?

    package init(
      acr: String? = nil, message: String? = nil, realm: String? = nil, scope: String? = nil
    ) {
      (self.acr, self.message, self.realm, self.scope) = (acr, message, realm, scope)
    }

    package static var blank: Self { Self() }

    package mutating func code(with facts: inout some FactsCoder) {
      facts.code("acr", &acr)
      facts.code("message", &message)
      facts.code("realm", &realm)
      facts.code("scope", &scope)
    }
  }
}
