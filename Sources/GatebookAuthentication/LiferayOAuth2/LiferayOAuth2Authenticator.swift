internal import GatebookCrypto
internal import GatebookEvents

/// Logs in to a portal by OAuth 2: on its own page, or with a password.
///
/// ```
/// ready       --a page------------> as in CodeGrant
/// ready       --a password--------> as in OAuth2Granting
/// granted     --always------------> identifying   get-current-user
/// identifying --200 with userId---> finish
/// identifying --any other answer--> the code of LiferayAnswer
/// ```
struct LiferayOAuth2Authenticator<Grant: LiferayOAuth2Grant>: OAuth2Granting {
  /// Frozen: it is stored in events.
  static var method: String { Grant.method }

  var turn = Turn<Self>.ready
  var login: OAuth2Login
  var visit: CodeGrant?
  var unproven: OAuth2Tokens?
  private let portalLogin: LiferayOAuth2Login
  private let flow: OAuth2Flow

  init(_ portalLogin: LiferayOAuth2Login, _ flow: OAuth2Flow) {
    self.portalLogin = portalLogin
    self.flow = flow
    login = portalLogin.oauth(Grant.self)
  }

  var unclaimed: (any SessionProof)? {
    unproven.map {
      LiferayOAuth2Proof<Grant>(
        portalLogin, tokens: $0, person: portalLogin.portal.person(named: ""))
    }
  }

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    if case .password(let user, let password) = flow {
      try check(user, password)
      return try obtain(by: password, of: user, input)
    }
    try portalLogin.check()
    let redirectURI = flow.redirectURI ?? ""
    guard ArrivedRedirect(redirectURI) != nil else {
      throw .setting(
        "oauth2redirectUrl", "it is not an absolute URI.",
        remedy: "Give the redirect URI that is registered for the client.")
    }
    _ = try portalLogin.portal.url(portalLogin.paths.authorize)
    return try openPage(redirectURI: redirectURI, input)
  }

  /// In the order of the Login Screenlet: name, password, client id, client secret, version.
  private func check(_ user: String, _ password: Secret) throws(GatebookError) {
    try user.checkAsSetting("user", remedy: "Give the login name.")
    try password.checkAsPassword()
    try portalLogin.check()
    guard portalLogin.client.secret?.isEmpty == false else {
      throw .setting("oauth2clientSecret", "it is empty.", remedy: "Give the client's secret.")
    }
    guard portalLogin.portal.version != .v62 else {
      throw .setting(
        "portalVersion", "Liferay 6.2 does not support OAuth 2 with a password.",
        remedy: "Log in with Basic or in cookie mode.")
    }
  }

  mutating func granted(
    _ granted: OAuth2Granted, _ input: Input
  ) throws(GatebookError) -> Step {
    unproven = granted.tokens
    return try identify(by: granted.tokens, at: portalLogin.portal, for: .tokenLogin) {
      machine, user in
      machine.unproven = nil
      return .finish(machine.outcome(granted, of: user))
    }
  }

  private func outcome(_ granted: OAuth2Granted, of user: LiferayUserRecord) -> Outcome {
    let portal = portalLogin.portal
    let proof = LiferayOAuth2Proof<Grant>(
      portalLogin, tokens: granted.tokens,
      person: user.person(at: portal, loginName: granted.loginName ?? user.loginName))
    var outcome = user.outcome(proof.person, proof)
    outcome.lifetime = granted.tokens.lifetime
    outcome.sent = granted.sent
    outcome.credentials = granted.password.map { proof.saved(with: $0) }
    return outcome
  }
}

extension LiferayOAuth2Authenticator: StoredRecord {
  /// The machine that waits for its redirect.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    let login = try facts.required("login", kept?.portalLogin)
    let redirectURI = try facts.required("redirectURI", kept?.flow.redirectURI)
    self.init(login, .code(redirectURI: redirectURI))
    let verifier = try facts.required("verifier", kept?.visit?.visit.pkce.verifier)
    // Who awaits the redirect has checked its state.
    let visit = CodeVisit(pkce: PKCE(verifier: verifier), state: "", nonce: nil)
    wait(for: CodeGrant(redirectURI: redirectURI, visit: visit))
  }
}

/// Asks a portal whose a session's tokens are.
///
/// ```
/// ready       --start-------------> identifying   get-current-user
/// identifying --200 with userId---> finish
/// identifying --any other answer--> the code of LiferayAnswer
/// ```
struct LiferayOAuth2Verification<Grant: LiferayOAuth2Grant>: ReplyAuthenticator {
  var turn = Turn<Self>.ready
  let proof: LiferayOAuth2Proof<Grant>

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    let portal = proof.portalLogin.portal
    return try identify(by: proof.tokens, at: portal, for: .verification) { machine, user in
      let person = user.person(at: portal, loginName: machine.proof.person.loginName)
      return .finish(user.outcome(person, machine.proof))
    }
  }
}

extension ReplyAuthenticator {
  /// Asks a portal for whom it takes the bearer of tokens.
  fileprivate mutating func identify(
    by tokens: OAuth2Tokens, at portal: LiferayPortal, for purpose: LiferayPurpose,
    then take: @escaping @Sendable (inout Self, LiferayUserRecord) throws -> Step
  ) throws(GatebookError) -> Step {
    let request = try LiferayCommand.request([.currentUser(portal.version)], to: portal)
    return send(request.replacing(tokens.field)) {
      try take(&$0, LiferayUserRecord(in: $1.reply, purpose, portal))
    }
  }
}
