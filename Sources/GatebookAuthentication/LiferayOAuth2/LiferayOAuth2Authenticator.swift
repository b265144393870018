internal import GatebookCrypto
internal import GatebookEvents

/// Logs in to a portal by OAuth 2: on its own page (RFC 6749 section 4.1, with PKCE), or with a
/// password (section 4.3).
///
/// It also refreshes the tokens (section 6), and asks the portal whose they are.
///
/// ```
/// ready       --a page-----------------> visiting      the authorisation page opens
/// ready       --a password, a refresh--> asking        POST to the token endpoint, sent once
/// ready       --a verification---------> identifying   get-current-user
/// visiting    --redirect with a code---> asking        POST to the token endpoint, sent once
/// visiting    --redirect with an error-> the code of AuthorizationRedirect
/// asking      --a grant----------------> identifying   get-current-user
/// asking      --a grant to a refresh---> finish        stored before anything else is asked
/// asking      --a refresh token alone--> finish        with it, and with what is wrong for who asked
/// asking      --any other--------------> the code of TokenRefusal
/// identifying --200 with userId--------> finish
/// identifying --any other answer-------> the code of LiferayAnswer
/// ```
struct LiferayOAuth2Authenticator<Grant: LiferayOAuth2Grant>: RedirectAuthenticator {
  /// What the portal is asked for.
  enum Purpose: Sendable {
    case page(redirectURI: String)
    case password(user: String, Secret)
    case renewal(LiferayOAuth2Proof<Grant>, Secret)
    case verification(LiferayOAuth2Proof<Grant>)
  }

  /// Frozen: it is stored in events.
  static var method: String { Grant.method }

  private enum State {
    case ready
    case visiting(PKCE)
    case asking(sent: Moment)
    case identifying(OAuth2Tokens, sent: Moment)
    case ended
  }

  private var state = State.ready
  private let login: LiferayOAuth2Login
  private let purpose: Purpose
  /// What the portal has granted: to a login, as long as the portal has not said whose it is; to a
  /// renewal, what nobody can use.
  private var granted: OAuth2Tokens?

  init(_ login: LiferayOAuth2Login, _ purpose: Purpose) {
    self.login = login
    self.purpose = purpose
  }

  /// Those tokens alone: what a session has is not for its renewal to take back.
  var unclaimed: (any SessionProof)? {
    granted.map { tokens in
      if case .renewal(let proof, _) = purpose { return proof.holding(tokens) }
      return LiferayOAuth2Proof<Grant>(login, tokens: tokens, person: login.portal.somebody())
    }
  }

  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch (state, Answer(input)) {
    case (.ready, .begun): return try begin(input)
    case (.visiting(let pkce), .redirected(let fields)):
      return try ask(
        [
          ("grant_type", "authorization_code"), ("redirect_uri", redirectURI ?? ""),
          ("code", try AuthorizationRedirect.code(in: fields)), ("code_verifier", pkce.verifier),
        ], input)
    case (.asking(let sent), .reply(_, let reply)):
      if case .renewal(let proof, _) = purpose {
        state = .ended
        return .finish(try renewed(proof, by: reply, sent))
      }
      let tokens = try login.tokens(in: reply, for: redirectURI == nil ? .password : .code)
      granted = tokens
      return try identify(tokens, sent: sent)
    case (.identifying(let tokens, let sent), .reply(_, let reply)):
      let outcome = try identified(by: reply, tokens, sent)
      state = .ended
      granted = nil
      return .finish(outcome)
    case (.asking, .missing(let failure)), (.identifying, .missing(let failure)):
      throw failure.error
    case (.ready, _), (.visiting, _), (.asking, _), (.identifying, _), (.ended, _):
      throw .loginOutOfOrder
    }
  }

  // MARK: Questions

  private mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    switch purpose {
    case .page(let redirectURI): return try open(redirectURI, input)
    case .password(let user, let password):
      try check(user, password)
      return try ask(
        [("grant_type", "password"), ("username", user), ("password", password.text)]
          + login.scope, input)
    case .renewal(_, let refresh):
      return try ask(
        [("grant_type", "refresh_token"), ("refresh_token", refresh.text)], input)
    case .verification(let proof): return try identify(proof.tokens, sent: input.moment)
    }
  }

  private var redirectURI: String? {
    if case .page(let redirectURI) = purpose { redirectURI } else { nil }
  }

  private mutating func open(
    _ redirectURI: String, _ input: Input
  ) throws(GatebookError) -> Step {
    try login.check()
    guard ArrivedRedirect(redirectURI) != nil else {
      throw .setting(
        "oauth2redirectUrl", "it is not an absolute URI.",
        remedy: "Give the redirect URI that is registered for the client.")
    }
    let page = try login.portal.url(login.paths.authorize)
    let pkce = PKCE(random: Array(input.random.prefix(32)))
    let key = Base64URL.encode(input.random.dropFirst(32).prefix(32))
    let query =
      [
        ("response_type", "code"), ("client_id", login.client.id), ("redirect_uri", redirectURI),
        ("state", key), ("code_challenge", pkce.challenge), ("code_challenge_method", "S256"),
      ] + login.scope
    state = .visiting(pkce)
    return .open(
      page.asking(query),
      awaiting: AwaitedRedirect(uri: redirectURI, key: "state", value: key, codeName: "code"))
  }

  /// In the order of the Login Screenlet: name, password, client id, client secret, version.
  private func check(_ user: String, _ password: Secret) throws(GatebookError) {
    guard !user.isEmpty else {
      throw .setting("user", "it is empty.", remedy: "Give the login name.")
    }
    try password.checkAsPassword()
    try login.check()
    guard login.client.secret?.isEmpty == false else {
      throw .setting("oauth2clientSecret", "it is empty.", remedy: "Give the client's secret.")
    }
    guard login.portal.version != .v62 else {
      throw .setting(
        "portalVersion", "Liferay 6.2 does not support OAuth 2 with a password.",
        remedy: "Log in with Basic or in cookie mode.")
    }
  }

  private mutating func ask(
    _ parameters: [(name: String, value: String)], _ input: Input
  ) throws(GatebookError) -> Step {
    state = .asking(sent: input.moment)
    return .send(login.client.request(try login.portal.url(login.paths.token), parameters))
  }

  private mutating func identify(
    _ tokens: OAuth2Tokens, sent: Moment
  ) throws(GatebookError) -> Step {
    state = .identifying(tokens, sent: sent)
    return .send(
      try LiferayCommand.request([.currentUser(login.portal.version)], to: login.portal)
        .replacing(tokens.field))
  }

  // MARK: Answers

  private mutating func renewed(
    _ proof: LiferayOAuth2Proof<Grant>, by reply: HTTPReply, _ sent: Moment
  ) throws(GatebookError) -> Outcome {
    func outcome(_ tokens: OAuth2Tokens) -> Outcome {
      var outcome = Outcome(
        person: proof.person, evidence: .identity, attributes: UserAttributes(),
        proof: proof.holding(tokens), jar: CookieJar(), lifetime: tokens.lifetime)
      outcome.sent = sent
      return outcome
    }
    do throws(GatebookError) {
      return outcome(proof.tokens.renewed(by: try login.tokens(in: reply, for: .refresh)))
    } catch  where error.code == .contentUnexpected {
      granted = OAuth2Tokens(unusable: reply)
      guard let tokens = granted.flatMap({ proof.tokens.rotated(by: $0) }) else { throw error }
      return outcome(tokens).falling(short: error)
    }
  }

  /// What it means that the portal named the bearer.
  private func identified(
    by reply: HTTPReply, _ tokens: OAuth2Tokens, _ sent: Moment
  ) throws(GatebookError) -> Outcome {
    var verified: LiferayOAuth2Proof<Grant>?
    if case .verification(let proof) = purpose { verified = proof }
    var typed: (user: String, password: Secret)?
    if case .password(let user, let password) = purpose { typed = (user, password) }
    let user = try login.user(in: reply, verified == nil ? .tokenLogin : .verification)
    let person = user.person(
      at: login.portal,
      loginName: verified?.person.loginName ?? typed?.user ?? user.loginName)
    let proof = verified ?? LiferayOAuth2Proof(login, tokens: tokens, person: person)
    var outcome = Outcome(
      person: person, evidence: .identity, attributes: user.attributes, proof: proof,
      jar: CookieJar())
    // A verification makes no session live longer.
    guard verified == nil else { return outcome }
    outcome.lifetime = tokens.lifetime
    outcome.sent = sent
    outcome.credentials = typed.map { proof.saved(with: $0.password) }
    return outcome
  }
}

extension LiferayOAuth2Authenticator: StoredRecord {
  /// The machine that waits for its redirect.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    let login = try facts.required("login", kept?.login)
    self.init(login, .page(redirectURI: try facts.required("redirectURI", kept?.redirectURI)))
    state = .visiting(PKCE(verifier: try facts.required("verifier", kept?.pkce?.verifier)))
  }

  private var pkce: PKCE? {
    if case .visiting(let pkce) = state { pkce } else { nil }
  }
}
