/// `login.succeeded`: the server logged the user in.
package struct LoginSucceeded: EventFacts {
  package static let kind = EventKind.loginSucceeded

  /// What proved it: `identity`, `check`, `ownRecord`, `session` or `token`.
  package var evidence: String
  /// Which generation of the session's secrets: 1 after the login.
  package var generation: Int64?
  /// The login method.
  package var method: String
  /// How long the session may be used without the server confirming it.
  package var offlineLimit: Duration?
  /// The server.
  package var server: String
  /// The client; versions before schema 8 do not write it elsewhere.
  package var client: String?
  /// How long the tokens are valid.
  package var life = Life()
  /// What the server granted.
  package var grant = Grant()

  package init(evidence: String, generation: Int64, method: String, server: String) {
    self.evidence = evidence
    self.generation = generation
    self.method = method
    self.server = server
  }

  package static var blank: Self { Self(evidence: "", generation: 0, method: "", server: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("boot", &life.boot)
    facts.code("bootID", &life.bootID)
    facts.code("client", &client)
    facts.code("generation", &generation)
    facts.code("lifetime", &life.lifetime)
    facts.code("method", &method)
    facts.code("offlineLimit", &offlineLimit)
    facts.code("offset", &life.offset)
    facts.code("renewable", &life.isRenewable, unless: true)
    facts.code("sent", &life.sent)
    facts.code("server", &server)
    guard facts.hasDetails else { return }
    facts.code("discovered", &grant.discovered)
    facts.code("evidence", &evidence)
    facts.code("idToken", &grant.idToken)
    facts.code("missing", &grant.missing)
    facts.code("scope", &grant.scope)
    facts.code("unbound", &grant.isUnbound, unless: false)
  }

  /// Who logged in.
  package struct Personal: FactsRecord, Hashable, Sendable {
    /// The tenant; empty for none.
    package var tenant: String
    /// The login name.
    package var user: String
    /// The server's id of the user; empty for none.
    package var userID: String

    package init(tenant: String, user: String, userID: String) {
      self.tenant = tenant
      self.user = user
      self.userID = userID
    }

    package static var blank: Self { Self(tenant: "", user: "", userID: "") }

    package mutating func code(with facts: inout some FactsCoder) {
      facts.code("tenant", &tenant)
      facts.code("user", &user)
      facts.code("userID", &userID)
    }
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    let key = method.known.map { SessionKey(method: $0)?.name ?? "session" } ?? "access token"
    return
      "The login succeeded: \(proof).\(Life.sentence(life.lifetime, of: key))\(grant.ungranted)"
  }

  private var proof: String {
    switch evidence {
    case "identity": "the server named the user"
    case "check": "a page refused access without the credentials and answered with them"
    case "ownRecord": "the user's own record could be read"
    case "session" where method.hasPrefix("oauth2") || method.hasPrefix("oidc"):
      "the server granted tokens"
    case "session": "the server opened a session"
    case "token": "the server granted a token to the client itself"
    default: "the server accepted it"
    }
  }
}
