internal import GatebookCrypto
internal import GatebookEvents

/// Finds out whose new tokens are, and proves it.
///
/// ```
/// ready    --an application's own tokens-------> done       their answer is the proof
/// ready    --an ID token-----------------------> keys       GET jwks_uri
/// ready    --none, though the flow has one-----> content.unexpected
/// ready    --none------------------------------> userinfo, or the check URL
/// keys     --the ID token holds----------------> userinfo, or done
/// keys     --the key is unknown, first time----> keys       once more
/// keys     --it does not hold------------------> the code of IDTokenRefusal
/// ready    --no userinfo, but introspection----> asking     POST to the introspection endpoint
/// asking   --active, and it names the user-----> done
/// asking   --any other-------------------------> login.unprovable
/// userinfo --the same user---------------------> done       with what it says
/// userinfo --another user, any other answer----> done       without it, if there was an ID token
/// userinfo --signed, without ID token----------> signed     GET jwks_uri
/// userinfo --names nobody, without ID token----> the check URL, or login.unprovable
/// signed   --it holds--------------------------> done
/// signed   --it does not-----------------------> the code of IDTokenRefusal
/// probing  --a refusal without the token-------> checking   GET the check URL with the token
/// checking --2xx-------------------------------> done
/// checking --any other-------------------------> login.unprovable
/// all      --408 425 429 5xx, no answer--------> server.unavailable, the transport's code
/// ```
struct IdentitySearch<Kind: OAuth2Kind>: OAuth2Machine {
  var turn = Turn<Self>.ready
  var login: OAuth2Login
  /// What is to be taken back unless somebody's; `nil` once it is.
  private var unproven: OAuth2Tokens?
  private let granted: OAuth2Granted
  private let former: OAuth2Server?
  private var isForbidden: Bool?
  private var keys = JSONWebKeySet([])
  private var document: String?

  /// Makes the search.
  ///
  /// - Parameters:
  ///   - granted: The tokens.
  ///   - login: How they came about.
  ///   - former: The endpoints of a server that was known before.
  ///   - isForbiddenToStrangers: How the check URL refused without a token; `nil` if it was not
  ///     asked yet.
  init(
    _ granted: OAuth2Granted, _ login: OAuth2Login, former: OAuth2Server?,
    isForbiddenToStrangers: Bool?
  ) {
    self.granted = granted
    self.login = login
    self.former = former
    unproven = granted.tokens
    isForbidden = isForbiddenToStrangers
  }

  /// The tokens, as long as it is not proven whose they are.
  var unclaimed: (any SessionProof)? {
    unproven.map { OAuth2Proof<Kind>(login, tokens: $0, .nobody) }
  }

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    try login.demand?.check(granted.tokens.scope)
    try login.checkBinding(of: granted.tokens)
    if login.grant == .clientCredentials {
      return finish(OAuth2Identity(named: login.application.clientID, evidence: .token))
    }
    guard login.metadata != nil else { return try tell(nil, input) }
    if let idToken = granted.idToken { return try check(idToken, isForced: false) }
    // OpenID Connect Core 1.0 section 3.1.3.3; the other grants are none of its flows, and servers
    // answer them without an ID token although they grant `openid`.
    guard !login.application.asksForIdentity || login.grant != .code else {
      throw .atLogin(
        .contentUnexpected, .idToken("missing"),
        remedy: "Ask the server's administrator why there is no ID token.", status: 200)
    }
    return try tell(nil, input)
  }

  /// Ends the login.
  private mutating func finish(_ identity: OAuth2Identity) -> Step {
    turn = .ended
    unproven = nil
    // It is answered: what logs in after this does not owe it.
    login.demand = nil
    let proof = OAuth2Proof<Kind>(login, tokens: granted.tokens, identity.kept)
    var outcome = Outcome(
      person: proof.person, evidence: identity.evidence, attributes: identity.attributes,
      proof: proof, jar: CookieJar(), lifetime: granted.tokens.lifetime)
    outcome.scope = granted.tokens.scope
    outcome.isUnbound = login.binding != nil && !granted.tokens.isBound
    outcome.sent = granted.sent
    outcome.discovered = login.metadata?.fetched
    outcome.changedEndpoints = former.map { login.endpoints.changes(from: $0) } ?? []
    outcome.credentials = granted.password.map { proof.saved(with: $0) }
    return .finish(outcome)
  }

  // MARK: The ID token

  private mutating func askForKeys(
    isForced: Bool, then take: @escaping Turn<Self>.Take
  ) throws(GatebookError) -> Step {
    let url = try login.url(.keys)
    return send(ServerKeys.request(url, isForced: isForced)) { machine, arrival in
      machine.keys = try ServerKeys.read(arrival.status, arrival.reply, at: url)
      machine.document = ServerKeys.kept(arrival.reply)
      return try take(&machine, arrival)
    }
  }

  private mutating func check(_ idToken: String, isForced: Bool) throws(GatebookError) -> Step {
    try askForKeys(isForced: isForced) { machine, arrival in
      let isRecalled = arrival.reply.recalled != nil
      return try machine.checked(
        idToken, isForced: isForced, isRecalled: isRecalled, arrival.input)
    }
  }

  private mutating func checked(
    _ idToken: String, isForced: Bool, isRecalled: Bool, _ input: Input
  ) throws(GatebookError) -> Step {
    let answer = IDTokenAnswer.login(
      IDTokenAnswer.Login(
        nonce: granted.nonce, maximumAge: login.demand?.maximumAge,
        contextClasses: login.demand?.contextClasses ?? [], accessToken: granted.tokens.access,
        code: granted.code))
    let rules = try login.identityCheck()
    switch rules.verdict(on: idToken, keys: keys, with: answer, at: input.moment.wall) {
    case .accepted(let claims): return try tell(claims, input)
    case .unknownKey:
      // Only keys that were asked for after the token came can tell that its own is none of them.
      guard !isRecalled else { throw .askedAMomentAgo }
      guard !isForced else { throw IDTokenRefusal.token(.unknownKey).error }
      return try check(idToken, isForced: true)
    case .refused(.issuer): throw rules.wrongIssuer(in: idToken, keys: keys)
    case .refused(let refusal): throw refusal.error
    }
  }

  // MARK: What the server tells

  private func request(_ url: HTTPURL, _ input: Input) -> OAuth2Exchange {
    OAuth2Exchange(url, by: granted.tokens, at: input.moment)
  }

  private mutating func tell(
    _ claims: IDTokenClaims?, _ input: Input
  ) throws(GatebookError) -> Step {
    if let claims {
      // Who logged in is proven: what the page says besides must be about the same user.
      guard let url = login.endpoints.userInfoURL else { return finish(identity(claims)) }
      return try ask(request(url, input), input) { machine, arrival, _ in
        let verdict = try machine.login.user(
          in: arrival.reply, keys: machine.keys, of: claims, at: arrival.input.moment.wall)
        guard case .accepted(let user) = verdict else {
          return machine.finish(machine.identity(claims))
        }
        return machine.finish(machine.identity(claims, user.facts))
      } missing: { machine, _, _ in
        machine.finish(machine.identity(claims))
      }
    }
    guard let url = login.endpoints.userInfoURL else { return try introspect(input) }
    return try ask(request(url, input), input) { machine, arrival, _ in
      if case .unavailable = arrival.status {
        throw GatebookError.unavailable(arrival.reply, at: url)
      }
      return try machine.named(by: arrival.reply, areKeysAsked: false, arrival.input)
    }
  }

  /// What a page says without an ID token to compare with.
  private mutating func named(
    by page: HTTPReply, areKeysAsked: Bool, _ input: Input
  ) throws(GatebookError) -> Step {
    switch try login.user(in: page, keys: keys, of: nil, at: input.moment.wall) {
    case .accepted(let user):
      var identity = OAuth2Identity(
        subject: user.subject, facts: user.facts, typed: granted.loginName)
      identity.kept.keys = document
      return finish(identity)
    case .unknownKey:
      guard !areKeysAsked else { throw IDTokenRefusal.token(.unknownKey).errorOfUserInfo }
      return try askForKeys(isForced: false) {
        try $0.named(by: page, areKeysAsked: true, $1.input)
      }
    case .refused(.userInfo), .refused(.token(.parts)): return try probe(input)
    case .refused(let refusal): throw refusal.errorOfUserInfo
    }
  }

  private func identity(_ claims: IDTokenClaims, _ told: Facts = Facts()) -> OAuth2Identity {
    var facts = claims.others
    facts.merge(told)
    var identity = OAuth2Identity(
      subject: claims.subject, facts: facts, typed: granted.loginName)
    identity.kept.claims = claims
    identity.kept.idToken = granted.idToken.map { Secret($0) }
    for name in claims.others.names {
      identity.kept.told[name] = claims.others[name]?.flattened
    }
    identity.kept.keys = document
    return identity
  }

  // MARK: Introspection

  private mutating func introspect(_ input: Input) throws(GatebookError) -> Step {
    guard login.checkURL == nil, let url = login.usableIntrospectionURL else {
      return try probe(input)
    }
    let question = Introspection.question(granted.tokens, to: url, at: input.moment)
    return try ask(question, input) { machine, arrival, _ in
      // No answer of now: it may come to one.
      if case .unavailable = arrival.status {
        throw GatebookError.unavailable(arrival.reply, at: url)
      }
      let answer = try? Introspection(arrival.reply, from: url)
      guard let answer, answer.isActive, let subject = answer.subject ?? answer.name else {
        return try machine.probe(arrival.input)
      }
      var facts = Facts()
      if let name = answer.name { facts["preferred_username"] = .text(name) }
      var identity = OAuth2Identity(
        subject: subject, facts: facts, typed: machine.granted.loginName)
      identity.kept.isUsername = answer.subject == nil
      return machine.finish(identity)
    }
  }

  // MARK: The check URL

  private mutating func probe(_ input: Input) throws(GatebookError) -> Step {
    guard let url = login.checkURL, login.user != nil else {
      var error = GatebookError.unprovable(
        .proofNobody, remedy: "Give a check URL, and a name for the account.")
      if login.user == nil { error.setting = "user" }
      throw error
    }
    guard isForbidden == nil else { return try prove(url, input) }
    return send(HTTPRequest("GET", url, limits: .login)) { machine, arrival in
      machine.isForbidden = try CheckURL(url).strangerIsForbidden(arrival.status, arrival.reply)
      return try machine.prove(url, arrival.input)
    }
  }

  private mutating func prove(_ url: HTTPURL, _ input: Input) throws(GatebookError) -> Step {
    try ask(request(url, input), input) { machine, arrival, _ in
      try CheckURL(url).checkHolder(arrival.status, arrival.reply)
      var identity = OAuth2Identity(
        named: machine.login.user ?? machine.granted.loginName ?? "", evidence: .check)
      identity.kept.isForbiddenToStrangers = machine.isForbidden ?? false
      return machine.finish(identity)
    }
  }
}

extension OAuth2Login {
  /// The rules for what the issuer signs.
  ///
  /// - Throws: `configuration.invalid` for a server without metadata: then nobody knows its issuer.
  func identityCheck() throws(GatebookError) -> IDTokenCheck {
    guard let metadata, let algorithms = application.algorithms else {
      throw .setting(
        "issuer", "it is missing.", remedy: "Log in with OpenID Connect and an issuer.")
    }
    return try IDTokenCheck(
      issuer: metadata.issuer, clientID: application.clientID, algorithms: algorithms,
      otherAudiences: application.trustedAudiences, rules: application.idTokenRules,
      offset: clock.offset)
  }
}
