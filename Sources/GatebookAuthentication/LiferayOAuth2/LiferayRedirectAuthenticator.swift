internal import GatebookEvents

/// Logs in to a portal by its own page (RFC 6749 section 4.1, with PKCE).
///
/// ```
/// ready       --start------------------> visiting      the authorisation page opens
/// visiting    --redirect with a code---> redeeming     POST to the token endpoint, sent once
/// visiting    --redirect with an error-> the code of AuthorizationRedirect
/// redeeming   --a grant----------------> identifying   get-current-user
/// redeeming   --any other--------------> the code of TokenRefusal
/// identifying --200 with userId--------> finish
/// identifying --any other answer-------> the code of LiferayAnswer
/// ```
struct LiferayRedirectAuthenticator: RedirectAuthenticator {
  static let method = LiferayRedirectGrant.method

  private enum State {
    case ready
    case visiting(PKCE)
    case redeeming(sent: Moment)
    case identifying(OAuth2Tokens, sent: Moment)
    case ended
  }

  private var state = State.ready
  private let login: LiferayOAuth2Login
  private let redirectURI: String

  init(_ login: LiferayOAuth2Login, redirectURI: String) {
    self.login = login
    self.redirectURI = redirectURI
  }

  private var pkce: PKCE? {
    if case .visiting(let pkce) = state { pkce } else { nil }
  }

  /// The tokens, as long as the portal has not said whose they are.
  var unclaimed: (any SessionProof)? {
    guard case .identifying(let tokens, _) = state else { return nil }
    return login.unclaimed(LiferayRedirectGrant.self, tokens)
  }

  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch (state, Answer(input)) {
    case (.ready, .begun):
      try check()
      return try open(input)
    case (.visiting(let pkce), .redirected(let fields)):
      let code = try AuthorizationRedirect.code(in: fields)
      state = .redeeming(sent: input.moment)
      return .send(
        try login.tokenRequest([
          ("grant_type", "authorization_code"), ("redirect_uri", redirectURI), ("code", code),
          ("code_verifier", pkce.verifier),
        ]))
    case (.redeeming(let sent), .reply(_, let reply)):
      let tokens = try login.tokens(in: reply, for: .code)
      state = .identifying(tokens, sent: sent)
      return .send(try login.identification(tokens))
    case (.identifying(let tokens, let sent), .reply(_, let reply)):
      let outcome = try login.outcome(
        LiferayRedirectGrant.self, tokens, sent: sent, reply, loginName: nil)
      state = .ended
      return .finish(outcome)
    case (.redeeming, .missing(let failure)), (.identifying, .missing(let failure)):
      throw failure.error
    case (.ready, .reply), (.ready, .missing), (.ready, .redirected), (.visiting, .begun),
      (.visiting, .reply), (.visiting, .missing), (.redeeming, .begun), (.redeeming, .redirected),
      (.identifying, .begun), (.identifying, .redirected), (.ended, _):
      throw .loginOutOfOrder
    }
  }

  private func check() throws(GatebookError) {
    try login.check()
    guard ArrivedRedirect(redirectURI) != nil else {
      throw .setting(
        "oauth2redirectUrl", "it is not an absolute URI.",
        remedy: "Give the redirect URI that is registered for the client.")
    }
    _ = try login.portal.url(login.paths.authorize)
  }

  private mutating func open(_ input: Input) throws(GatebookError) -> Step {
    let pkce = PKCE(random: Array(input.random.prefix(32)))
    let key = Base64URL.encode(input.random.dropFirst(32).prefix(32))
    let query =
      [
        ("response_type", "code"), ("client_id", login.client.id), ("redirect_uri", redirectURI),
        ("state", key), ("code_challenge", pkce.challenge), ("code_challenge_method", "S256"),
      ] + login.scope
    state = .visiting(pkce)
    return .open(
      try login.portal.url(login.paths.authorize).asking(query),
      awaiting: AwaitedRedirect(
        uri: redirectURI, key: "state", value: key, codeName: "code"))
  }
}

extension LiferayRedirectAuthenticator: StoredRecord {
  /// The machine that waits for its redirect.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    let login = try facts.required("login", kept?.login)
    self.init(login, redirectURI: try facts.required("redirectURI", kept?.redirectURI))
    state = .visiting(PKCE(verifier: try facts.required("verifier", kept?.pkce?.verifier)))
  }
}
