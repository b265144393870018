package import GatebookCrypto
package import GatebookEvents

/// Authorises requests to a portal with a bearer token, and renews it with its refresh token.
package struct LiferayOAuth2Proof<Grant: LiferayOAuth2Grant>: LiferayProof, OAuth2Renewing {
  /// Frozen: it is stored in events.
  package static var method: String { Grant.method }

  let portalLogin: LiferayOAuth2Login
  /// What the portal granted.
  package let tokens: OAuth2Tokens
  /// Who logged in: a refresh names nobody.
  let person: Person
  /// The password that logs in again automatically, with the user's permission; a session has none.
  package var password: Secret?

  /// With the portal's own endpoints.
  package var login: OAuth2Login { portalLogin.oauth(Grant.self) }

  init(_ portalLogin: LiferayOAuth2Login, tokens: OAuth2Tokens, person: Person) {
    self.portalLogin = portalLogin
    self.tokens = tokens
    self.person = person
  }

  /// The same login's, with other tokens.
  package func holding(_ tokens: OAuth2Tokens) -> LiferayOAuth2Proof {
    LiferayOAuth2Proof(portalLogin, tokens: tokens, person: person)
  }

  /// The portal.
  package var portal: LiferayPortal { portalLogin.portal }

  /// Portal, client and name; where the portal sent the browser a session does not keep.
  package var settings: Facts {
    portalLogin.settings(user: Grant.method == LiferayPasswordGrant.method ? person.loginName : nil)
  }

  /// Adds the bearer token below the portal's URL; no cookies: a session cookie would make the
  /// portal ask for a CSRF token.
  package func authorise(
    _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
  ) -> HTTPRequest {
    portal.space.contains(request.url) ? request.replacing(tokens.field) : request
  }

  /// The refresh; `nil` without a refresh token: never another grant instead.
  ///
  /// What was saved logs in by its password.
  package func renewal(jar: CookieJar) -> (any Authenticator)? {
    if let password {
      return LiferayOAuth2Authenticator<Grant>(
        portalLogin, .password(user: person.loginName, password))
    }
    return tokens.refresh.map { OAuth2Refresh(self, with: $0) }
  }

  /// For the same user, whom a refresh does not name.
  package func renewal(
    to tokens: OAuth2Tokens, by login: OAuth2Login, _ granted: OAuth2Granted, at moment: Moment
  ) -> Outcome {
    Outcome(person: person, evidence: .identity, proof: holding(tokens))
  }

  /// Asks the portal for whom it takes the bearer.
  package func verification(jar: CookieJar) -> any Authenticator {
    LiferayOAuth2Verification(proof: self)
  }

  /// Any answer below 500 but 429 and redirects, whatever its body.
  package func hasEnded(_ reply: HTTPReply) -> Bool {
    switch StatusClass(reply.status) {
    case .redirected, .unavailable: false
    case .accepted, .unauthorised, .forbidden, .misplaced, .refused: reply.status < 500
    }
  }
}

extension LiferayOAuth2Proof: StoredRecord {
  /// Portal, client, tokens and user.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    portalLogin = try facts.required("login", kept?.portalLogin)
    password = facts.optional("password", kept?.password)
    tokens = try facts.required("tokens", kept?.tokens)
    person = Person(
      family: LoginMethod.liferayFamily, server: portalLogin.portal.server.origin,
      tenant: try facts.required("tenant", kept?.person.tenant),
      userID: try facts.required("userID", kept?.person.userID),
      loginName: try facts.required("loginName", kept?.person.loginName))
  }
}
