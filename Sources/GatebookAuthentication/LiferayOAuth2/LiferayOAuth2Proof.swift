internal import GatebookCrypto
package import GatebookEvents

/// Authorises requests to a portal with a bearer token, and renews it with its refresh token.
package struct LiferayOAuth2Proof<Grant: LiferayOAuth2Grant>: OAuth2Renewing {
  /// Frozen: it is stored in events.
  package static var method: String { Grant.method }

  let portalLogin: LiferayOAuth2Login
  /// What the portal granted.
  package let tokens: OAuth2Tokens
  /// Who logged in: a refresh names nobody.
  let person: Person
  /// The password that logs in again automatically, with the user's permission; a session has none.
  private(set) var password: Secret?

  /// With the portal's own endpoints.
  var login: OAuth2Login { portalLogin.oauth(Grant.self) }

  init(_ portalLogin: LiferayOAuth2Login, tokens: OAuth2Tokens, person: Person) {
    self.portalLogin = portalLogin
    self.tokens = tokens
    self.person = person
  }

  /// The same login's, with other tokens.
  package func holding(_ tokens: OAuth2Tokens) -> LiferayOAuth2Proof {
    LiferayOAuth2Proof(portalLogin, tokens: tokens, person: person)
  }

  /// The portal's endpoint for it, where its path is set.
  package var revocation: TokenRevocation? {
    guard let path = portalLogin.paths.revoke, let url = try? portalLogin.portal.url(path) else {
      return nil
    }
    return TokenRevocation(url: url, clientID: portalLogin.client.id)
  }

  /// What logs in again after the session: the password in the place of the tokens.
  func saved(with password: Secret) -> LiferayOAuth2Proof {
    var tokens = tokens
    tokens.access = Secret("")
    tokens.refresh = nil
    var saved = LiferayOAuth2Proof(portalLogin, tokens: tokens, person: person)
    saved.password = password
    return saved
  }

  /// The portal's.
  package var origin: Origin { portalLogin.portal.server.origin }

  /// Portal, client and name; where the portal sent the browser a session does not keep.
  package var settings: Facts {
    portalLogin.settings(user: Grant.method == LiferayPasswordGrant.method ? person.loginName : nil)
  }

  /// No: none are sent.
  package var keepsCookies: Bool { false }

  /// Adds the bearer token below the portal's URL; no cookies: a session cookie would make the
  /// portal ask for a CSRF token.
  package func authorise(
    _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
  ) -> HTTPRequest {
    portalLogin.portal.space.contains(request.url) ? request.replacing(tokens.field) : request
  }

  /// A 401, or a web service's answer that the caller is a guest.
  package func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict {
    guard portalLogin.portal.space.contains(request.url) else { return .unaffected }
    if reply.status == 401 { return .authorityLost }
    guard portalLogin.portal.isWebService(request.url) else { return .unaffected }
    return LiferayAnswer.isAuthorityLost(reply) ? .authorityLost : .unaffected
  }

  /// With a password alone.
  package var renewsByPassword: Bool { password != nil }

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
  func renewal(
    to tokens: OAuth2Tokens, by login: OAuth2Login, _ granted: OAuth2Granted, at moment: Moment
  ) -> Outcome {
    Outcome(
      person: person, evidence: .identity, attributes: UserAttributes(), proof: holding(tokens),
      jar: CookieJar())
  }

  /// Asks the portal for whom it takes the bearer.
  package func verification(jar: CookieJar) -> any Authenticator {
    LiferayOAuth2Verification(proof: self)
  }

  /// Revokes the tokens where the portal has an endpoint for it, the refresh token first: that ends
  /// the others too (RFC 7009 section 2.1).
  package func logOut(jar: CookieJar, at moment: Moment) -> [HTTPRequest] {
    guard let url = revocation?.url else { return [] }
    return tokens.questions.map { portalLogin.client.request(url, $0.parameters) }
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
