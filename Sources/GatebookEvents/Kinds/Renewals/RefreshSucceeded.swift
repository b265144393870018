/// `refresh.succeeded`: the server renewed the session.
package struct RefreshSucceeded: EventFacts {
  package static let kind = EventKind.refreshSucceeded

  /// The boot clock when the answer came, of a partial one.
  package var answerBoot: Duration?
  /// Which start of the machine that clock counts from.
  package var answerBootID: BootID?
  /// The fingerprint of the new credential.
  package var fingerprint: String?
  /// Which generation of the session's secrets: 1 after the login.
  package var generation: Int64?
  /// Whether the answer had only another refresh token: the life is the former one's.
  package var isPartial: Bool = false
  /// Whether the renewal used up what the user saved, and the new one is saved instead.
  package var isSaved: Bool = false
  /// How long the tokens are valid.
  package var life = Life()
  /// What the server granted.
  package var grant = Grant()

  package init(generation: Int64) {
    self.generation = generation
  }

  package static var blank: Self { Self(generation: 0) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("answerBoot", &answerBoot)
    facts.code("answerBootID", &answerBootID)
    facts.code("boot", &life.boot)
    facts.code("bootID", &life.bootID)
    facts.code("generation", &generation)
    facts.code("lifetime", &life.lifetime)
    facts.code("offset", &life.offset)
    facts.code("partial", &isPartial, unless: false)
    facts.code("renewable", &life.isRenewable, unless: true)
    facts.code("saved", &isSaved, unless: false)
    facts.code("sent", &life.sent)
    guard facts.hasDetails else { return }
    facts.code("discovered", &grant.discovered)
    facts.code("fingerprint", &fingerprint)
    facts.code("idToken", &grant.idToken)
    facts.code("missing", &grant.missing)
    facts.code("scope", &grant.scope)
    facts.code("unbound", &grant.isUnbound, unless: false)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    if isPartial {
      return
        "The server sent only a new refresh token. The session keeps its access token until that expires."
    }
    return
      "The session was renewed.\(Life.sentence(life.lifetime, of: "access token"))\(grant.ungranted)"
      + "\(Grant.ignored(grant.idToken))"
  }
}
