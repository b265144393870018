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

  package static var blank: Self { Self(AskedChallenge(scheme: "")) }

  package mutating func code(with facts: inout some FactsCoder) {
    challenge.code(with: &facts)
    guard facts.hasDetails else { return }
    facts.code("error", &error)
    facts.code("handler", &handler)
    facts.code("interval", &interval)
    facts.code("maximumAge", &maximumAge)
    facts.code("remaining", &remaining)
  }

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

  package func sentence(_ event: RecordedEvent) -> Sentence {
    if challenge.isOffline {
      return "The user was asked for the password, to check it without the server."
    }
    if challenge.scheme == "device", interval != nil {
      return "The server asked to be polled less often for the code."
    }
    return challenge.isStepUp
      ? "The server asked \(demand(event))." : "The server asked for \(challenge.words)."
  }

  /// What a server wants that the session does not have, as far as it can be read.
  package func demand(_ event: RecordedEvent) -> String {
    let personal = Personal(event.personal?.value ?? [:])
    let wanted = [
      personal.scope.map { "for more permissions than the session has (“\($0)”)" },
      personal.acr.map { "for a stronger login (“\($0)”)" },
      maximumAge == nil ? nil : "for a fresh login",
    ].compactMap { $0 }
    guard wanted.isEmpty else { return wanted.joined(separator: ", and ") }
    guard demandsNothing(event) else {
      return "for a stronger or a fresh login, or for more permissions"
    }
    return switch error {
    case "insufficient_scope": "for more permissions than the session has, but did not say which"
    case nil:
      "for another login, but did not say which: a stronger or fresh one, or more permissions"
    default: "for a stronger or a fresh login, but did not say which"
    }
  }

  /// Whether it tells of a login that a server wants to be stronger or fresh, not only of scopes.
  package func demandsAuthentication(_ event: RecordedEvent) -> Bool {
    maximumAge != nil || Personal(event.personal?.value ?? [:]).acr != nil
  }

  /// Whether it tells of a server that wants another login and does not say which.
  package func demandsNothing(_ event: RecordedEvent) -> Bool {
    maximumAge == nil && event.personal == nil
  }
}
