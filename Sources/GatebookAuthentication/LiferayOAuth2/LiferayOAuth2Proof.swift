internal import GatebookCrypto
package import GatebookEvents

/// Authorises requests to a portal with a bearer token, and renews it with its refresh token.
package struct LiferayOAuth2Proof<Grant: LiferayOAuth2Grant>: TokenBearing {
  /// Frozen: it is stored in events.
  package static var method: String { Grant.method }

  let login: LiferayOAuth2Login
  /// What the portal granted.
  package let tokens: OAuth2Tokens
  /// Who logged in: a refresh names nobody.
  let person: Person
  /// The password that logs in again automatically, with the user's permission; a session has none.
  private(set) var password: Secret?

  init(_ login: LiferayOAuth2Login, tokens: OAuth2Tokens, person: Person) {
    self.login = login
    self.tokens = tokens
    self.person = person
  }

  /// The same login's, with other tokens.
  package func holding(_ tokens: OAuth2Tokens) -> LiferayOAuth2Proof {
    LiferayOAuth2Proof(login, tokens: tokens, person: person)
  }

  /// The portal's endpoint for it, where its path is set.
  package var revocation: TokenRevocation? {
    guard let path = login.paths.revoke, let url = try? login.portal.url(path) else { return nil }
    return TokenRevocation(url: url, clientID: login.client.id)
  }

  /// What logs in again after the session: the password in the place of the tokens.
  func saved(with password: Secret) -> LiferayOAuth2Proof {
    var tokens = tokens
    tokens.access = Secret("")
    tokens.refresh = nil
    var saved = LiferayOAuth2Proof(login, tokens: tokens, person: person)
    saved.password = password
    return saved
  }

  /// The portal's.
  package var origin: Origin { login.portal.server.origin }

  /// Portal, client and name; where the portal sent the browser a session does not keep.
  package var settings: Facts {
    login.settings(user: Grant.method == LiferayPasswordGrant.method ? person.loginName : nil)
  }

  /// No: none are sent.
  package var keepsCookies: Bool { false }

  /// Adds the bearer token below the portal's URL; no cookies: a session cookie would make the
  /// portal ask for a CSRF token.
  package func authorise(
    _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
  ) -> HTTPRequest {
    login.portal.space.contains(request.url) ? request.replacing(tokens.field) : request
  }

  /// A 401, or a web service's answer that the caller is a guest.
  package func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict {
    guard login.portal.space.contains(request.url) else { return .unaffected }
    if reply.status == 401 { return .authorityLost }
    guard login.portal.isWebService(request.url) else { return .unaffected }
    return LiferayAnswer.isAuthorityLost(reply) ? .authorityLost : .unaffected
  }

  /// With a password alone.
  package var renewsByPassword: Bool { password != nil }

  /// The refresh; `nil` without a refresh token: never another grant instead.
  ///
  /// What was saved logs in by its password.
  package func renewal(jar: CookieJar) -> (any Authenticator)? {
    if let password {
      return LiferayPasswordAuthenticator(login, user: person.loginName, password: password)
    }
    guard let refresh = tokens.refresh else { return nil }
    return LiferayOAuth2Refresh(self, with: refresh)
  }

  /// Asks the portal for whom it takes the bearer.
  package func verification(jar: CookieJar) -> any Authenticator {
    LiferayOAuth2Verification(self)
  }

  /// Revokes the tokens where the portal has an endpoint for it, the refresh token first: that ends
  /// the others too (RFC 7009 section 2.1).
  package func logOut(jar: CookieJar, at moment: Moment) -> [HTTPRequest] {
    guard let url = revocation?.url else { return [] }
    var tokens: [(Secret, hint: String)] = []
    if let refresh = self.tokens.refresh { tokens.append((refresh, "refresh_token")) }
    if !self.tokens.access.isEmpty { tokens.append((self.tokens.access, "access_token")) }
    return tokens.map { token, hint in
      login.client.request(url, [("token", token.text), ("token_type_hint", hint)])
    }
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
    login = try facts.required("login", kept?.login)
    password = facts.optional("password", kept?.password)
    tokens = try facts.required("tokens", kept?.tokens)
    person = Person(
      family: LoginMethod.liferayFamily, server: login.portal.server.origin,
      tenant: try facts.required("tenant", kept?.person.tenant),
      userID: try facts.required("userID", kept?.person.userID),
      loginName: try facts.required("loginName", kept?.person.loginName))
  }
}

/// Asks a portal for whom it takes the bearer of a session's token.
///
/// ```
/// ready       --start------------------> identifying   get-current-user
/// identifying --200 with userId--------> finish
/// identifying --any other answer-------> the code of LiferayAnswer
/// ```
struct LiferayOAuth2Verification<Grant: LiferayOAuth2Grant>: Authenticator {
  private enum State {
    case ready
    case identifying
    case ended
  }

  private var state = State.ready
  private let proof: LiferayOAuth2Proof<Grant>

  init(_ proof: LiferayOAuth2Proof<Grant>) {
    self.proof = proof
  }

  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch (state, Answer(input)) {
    case (.ready, .begun):
      state = .identifying
      return .send(try proof.login.identification(proof.tokens))
    case (.identifying, .reply(_, let reply)):
      state = .ended
      let user = try proof.login.user(in: reply, .verification)
      return .finish(
        Outcome(
          person: user.person(at: proof.login.portal, loginName: proof.person.loginName),
          evidence: .identity, attributes: user.attributes, proof: proof, jar: CookieJar()))
    case (.identifying, .missing(let failure)):
      throw failure.error
    case (.ready, .reply), (.ready, .missing), (.identifying, .begun), (_, .redirected),
      (.ended, _):
      throw .loginOutOfOrder
    }
  }
}
