package import GatebookCrypto
package import GatebookEvents

/// Authorises requests with a token of OAuth 2, and renews it.
///
/// The token goes to the check URL's server or, without a check URL, to the server that granted it,
/// and to the origins that the user added; nowhere else.
package struct OAuth2Proof<Kind: OAuth2Kind>: OAuth2Renewing, StepUpCapable {
  /// Frozen: it is stored in events.
  package static var method: String { Kind.method }

  package let login: OAuth2Login
  /// What the server granted.
  package let tokens: OAuth2Tokens
  /// Whose they are: a refresh names nobody.
  let identity: KeptIdentity
  /// The password that logs in again automatically, with the user's permission; a session has none.
  package var password: Secret?

  init(_ login: OAuth2Login, tokens: OAuth2Tokens, _ identity: KeptIdentity) {
    self.login = login
    self.tokens = tokens
    self.identity = identity
  }

  /// The same login's, with other tokens.
  package func holding(_ tokens: OAuth2Tokens) -> OAuth2Proof {
    OAuth2Proof(login, tokens: tokens, identity)
  }

  /// The check URL's, or else that of the server that gave the tokens.
  package var origin: Origin { login.origin }

  /// All but where the server sent the browser, which a session does not keep.
  package var settings: Facts { login.settings() }

  /// As the token endpoint's answers show it.
  package var serverOffset: Duration? { login.clock.offset }

  /// Who logged in.
  var person: Person {
    login.person(Self.method, userID: identity.userID, loginName: identity.loginName)
  }

  // MARK: Requests

  /// Adds the token, and the proof of the account's key if it is bound to one; no cookies.
  package func authorise(
    _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
  ) -> HTTPRequest {
    let authorised = try? login.authorised(
      request, by: tokens, at: moment, random: Randomness(random))
    // Where the machine does not sign, the server refuses: its answer says more than we could.
    return authorised ?? request.replacing(tokens.field)
  }

  /// A 401, whatever it says, and `invalid_token` on a 400 or 403 (RFC 6750 section 3.1).
  ///
  /// Not an answer for a scope that is missing, nor a 401 for a login that is not strong enough
  /// (RFC 9470 section 3): no refresh helps, and the session stays what it is.
  package func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict {
    guard [400, 401, 403].contains(reply.status) else { return .unaffected }
    let errors = reply.tokenErrors
    if reply.status == 401, errors.contains("use_dpop_nonce"), tokens.isBound {
      if let corrected = learning(from: reply, to: request) { return .corrected(corrected.record) }
    }
    if StepUp(reply) != nil || errors.contains("insufficient_user_authentication") {
      return .unaffected
    }
    let isLost = reply.status == 401 || errors.contains("invalid_token")
    return isLost ? .authorityLost : .unaffected
  }

  /// The nonce for the next proof of the key: a server "can supply a new nonce" with any answer,
  /// also a 200 (RFC 9449 section 8.2).
  package func learning(from reply: HTTPReply, to request: HTTPRequest) -> OAuth2Proof? {
    var taught = login
    guard tokens.isBound, taught.learn(from: reply, of: request.url, at: nil) else { return nil }
    return knowing(taught)
  }

  /// The same session's, with what was found out about its server.
  func knowing(_ login: OAuth2Login) -> OAuth2Proof {
    var proof = OAuth2Proof(login, tokens: tokens, identity)
    proof.password = password
    return proof
  }

  /// What differs in what the server publishes, and is not set by hand.
  package func movedEndpoints(since former: any SessionProof) -> [String] {
    guard let former = (former as? OAuth2Proof)?.login, former.issuer?.url == login.issuer?.url,
      let old = former.metadata, let new = login.metadata
    else { return [] }
    let byHand = Set(login.server.all.map(\.endpoint.rawValue))
    return new.endpoints.changes(from: old.endpoints).filter { !byHand.contains($0) }
  }

  /// A login that is not strong enough, or scopes that are missing.
  package func demand(in reply: HTTPReply) -> StepUp? { StepUp(reply) }

  /// The same application's login on the server's page, asking for more.
  package func stepUp(
    to demand: StepUp, redirectURI: String
  ) throws(GatebookError) -> LoginMethod {
    guard login.grant != .clientCredentials else {
      throw .setting(
        "flow", "an application's own tokens have no user who could authenticate.",
        remedy: "Ask the server's administrator for more rights.")
    }
    guard login.asksForIDToken || !demand.isAboutAuthentication else {
      throw GatebookError(
        .loginUnprovable, "Without an ID token it is unknown how the user authenticated.",
        kept: GatebookError.sessionKept, remedy: "Log in with OpenID Connect.")
    }
    var login = login
    login.grant = .code
    // Where a server describes itself, it may have got a page since.
    guard login.issuer != nil || login.endpoints[.authorisation] != nil else {
      throw GatebookError(
        .configurationInvalid,
        "The account's login method has no login page for the stronger login that the server demands.",
        kept: GatebookError.sessionKept,
        remedy: "Log in again, and request the required scopes.")
    }
    login.demand = demand
    login.ask(for: (tokens.scope ?? "").split(separator: " ").map(String.init) + demand.scopes)
    return .stepUp(login, as: person, redirectURI, Kind.self)
  }

  // MARK: Renewal

  /// Those of the application that are not among the granted ones (RFC 6749 section 5.1).
  ///
  /// Some servers, such as Microsoft Entra, list only what the access token is good for: that the
  /// others were granted is shown by the refresh token and the ID token themselves.
  package var missingScopes: [String] {
    guard let scope = tokens.scope else { return [] }
    var granted = Set(scope.split(separator: " ").map(String.init))
    if tokens.refresh != nil { granted.insert("offline_access") }
    if identity.idToken != nil { granted.insert("openid") }
    return login.application.scopes.filter { !granted.contains($0) }
  }

  /// After a refresh whose ID token was signed by a key that was not known.
  package var isUnchecked: Bool { identity.unchecked != nil }

  /// With a refresh token; an application's own tokens are requested again with its secret.
  package var isRenewable: Bool { tokens.refresh != nil || login.grant == .clientCredentials }

  /// The refresh; for an application's own tokens a new grant.
  ///
  /// What was saved logs in by its password. `nil` for a session of a person without a refresh
  /// token.
  package func renewal(jar: CookieJar) -> (any Authenticator)? {
    if let password {
      return OAuth2Authenticator<Kind>(
        login, .password(user: identity.loginName, password))
    }
    if let refresh = tokens.refresh { return OAuth2Refresh(self, with: refresh) }
    guard login.grant == .clientCredentials else { return nil }
    return OAuth2Authenticator<Kind>(login, .clientCredentials)
  }

  /// The token endpoint's: the session may be proven elsewhere.
  package var renewalOrigin: Origin { (try? login.url(.token))?.origin ?? origin }

  /// Where the server is now, before a refresh token goes there; an older answer may serve.
  package func preparation(at moment: Moment) -> (any Authenticator)? {
    guard password == nil, tokens.refresh != nil, let issuer = login.issuer,
      login.metadata?.serves(at: moment) != true
    else { return nil }
    return OAuth2Rediscovery(self, at: issuer)
  }

  /// Asks the server whose the token is, or the check URL.
  package func verification(jar: CookieJar) -> any Authenticator {
    OAuth2Verification(self)
  }

  // MARK: Logout

  /// With the login's ID token, by which the server knows whose session to end (OpenID Connect
  /// RP-Initiated Logout 1.0 section 2).
  package func endSessionPage(
    redirectURI: String?, state: String?, namesPerson: Bool
  ) -> HTTPURL? {
    var query = [(name: "client_id", value: login.application.clientID)]
    if namesPerson, let idToken = identity.idToken { query.append(("id_token_hint", idToken.text)) }
    if let redirectURI { query.append(("post_logout_redirect_uri", redirectURI)) }
    if let state { query.append(("state", state)) }
    return login.endpoints.endSessionURL?.asking(query)
  }

  /// A 2xx, or a server that revokes no tokens of this kind (section 2.2.1).
  ///
  /// "The content of the response body is ignored by the client as all necessary information is
  /// conveyed in the response code" (section 2.2): a page counts too, and so the one of a strange
  /// network's portal.
  package func hasEnded(_ reply: HTTPReply) -> Bool {
    (200..<300).contains(reply.status)
      || (reply.status == 400 && TokenRefusal.code(in: reply) == "unsupported_token_type")
  }
}

extension OAuth2Proof: StoredRecord {
  /// Settings, tokens and identity.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    let identity = try facts.required("identity", kept?.identity)
    let login = try facts.required("login", kept?.login)
    let password = facts.optional("password", kept?.password)
    let tokens = try facts.required("tokens", kept?.tokens)
    self.init(login, tokens: tokens, identity)
    self.password = password
  }
}

/// Where tokens are taken back, and for which application.
package struct TokenRevocation: Hashable, Sendable {
  let url: HTTPURL
  let clientID: String
}
