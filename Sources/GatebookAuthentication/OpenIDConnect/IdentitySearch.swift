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
struct IdentitySearch: Sendable {
  private enum State {
    case ready
    case keys(String, isForced: Bool)
    case userInfo(BoundRequest, IDTokenClaims?)
    case signed(HTTPReply)
    case asking(OAuth2Exchange)
    case probing(HTTPURL)
    case checking(BoundRequest)
    case ended
  }

  private var state = State.ready
  private let granted: OAuth2Granted
  private var isForbidden: Bool?
  private var keys = JSONWebKeySet([])
  private var document: String?

  /// Makes the search.
  ///
  /// - Parameters:
  ///   - granted: The tokens.
  ///   - isForbiddenToStrangers: How the check URL refused without a token; `nil` if it was not
  ///     asked yet.
  init(_ granted: OAuth2Granted, isForbiddenToStrangers: Bool?) {
    self.granted = granted
    isForbidden = isForbiddenToStrangers
  }

  /// Takes its first step.
  mutating func begin(
    _ login: inout OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Identity> {
    if login.grant == .clientCredentials {
      return .done(OAuth2Identity(named: login.application.clientID, evidence: .token))
    }
    guard login.metadata != nil else { return try tell(nil, login, input) }
    if let idToken = granted.idToken {
      state = .keys(idToken, isForced: false)
      return .step(try askForKeys(login, isForced: false))
    }
    // OpenID Connect Core 1.0 section 3.1.3.3; the other grants are none of its flows, and servers
    // answer them without an ID token although they grant `openid`.
    guard !login.application.asksForIdentity || login.grant != .code else {
      throw .atLogin(
        .contentUnexpected, .idToken("missing"),
        remedy: "Ask the server's administrator why there is no ID token.", status: 200)
    }
    return try tell(nil, login, input)
  }

  /// Takes one input after that.
  mutating func next(
    _ login: inout OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Identity> {
    switch (state, Answer(input)) {
    case (.keys(let idToken, let isForced), .reply(let status, let reply)):
      keys = try ServerKeys.read(status, reply, at: try login.url(.keys))
      document = ServerKeys.kept(reply)
      return try check(idToken, isForced: isForced, isRecalled: reply.recalled != nil, login, input)
    case (.userInfo(var request, let claims), .reply(let status, let reply)):
      if let again = try request.again(after: reply, &login, input) {
        state = .userInfo(request, claims)
        return .step(again)
      }
      return try told(status, reply, claims, login, input)
    case (.signed(let page), .reply(let status, let reply)):
      keys = try ServerKeys.read(status, reply, at: try login.url(.keys))
      document = ServerKeys.kept(reply)
      return try named(by: page, login, input)
    case (.asking(let exchange), .reply(let status, let reply)):
      _ = login.learn(from: reply, of: exchange.url, at: input.moment)
      // No answer of now: it may come to one.
      if case .unavailable = status { throw .unavailable(reply, at: exchange.url) }
      return try introspected(try? Introspection(reply, from: exchange.url), login, input)
    case (.userInfo(_, let claims?), .missing):
      return .done(identity(claims, Facts()))
    case (.probing(let url), .reply(let status, let reply)):
      isForbidden = try CheckURL(url).strangerIsForbidden(status, reply)
      return try prove(url, login, input)
    case (.checking(var request), .reply(let status, let reply)):
      if let again = try request.again(after: reply, &login, input) {
        state = .checking(request)
        return .step(again)
      }
      return .done(try proven(status, reply, request.url, login))
    case (.keys, .missing(let failure)), (.userInfo, .missing(let failure)),
      (.signed, .missing(let failure)), (.asking, .missing(let failure)),
      (.probing, .missing(let failure)),
      (.checking, .missing(let failure)):
      throw failure.error
    case (.ready, _), (.keys, .begun), (.userInfo, .begun), (.signed, .begun), (.asking, .begun),
      (.probing, .begun), (.checking, .begun), (_, .redirected), (.ended, _):
      throw .loginOutOfOrder
    }
  }

  // MARK: The ID token

  private func askForKeys(
    _ login: OAuth2Login, isForced: Bool
  ) throws(GatebookError) -> Step {
    .send(ServerKeys.request(try login.url(.keys), isForced: isForced))
  }

  private mutating func check(
    _ idToken: String, isForced: Bool, isRecalled: Bool, _ login: OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Identity> {
    let answer = IDTokenAnswer.login(
      IDTokenAnswer.Login(
        nonce: granted.nonce, maximumAge: login.demand?.maximumAge,
        contextClasses: login.demand?.contextClasses ?? [], accessToken: granted.tokens.access,
        code: granted.code))
    let verdict = try login.identityCheck().verdict(
      on: idToken, keys: keys, with: answer, at: input.moment.wall)
    switch verdict {
    case .accepted(let claims): return try tell(claims, login, input)
    case .unknownKey:
      // Only keys that were asked for after the token came can tell that its own is none of them.
      guard !isRecalled else { throw .askedAMomentAgo }
      guard !isForced else { throw IDTokenRefusal.token(.unknownKey).error }
      state = .keys(idToken, isForced: true)
      return .step(try askForKeys(login, isForced: true))
    case .refused(.issuer):
      throw try login.identityCheck().wrongIssuer(in: idToken, keys: keys)
    case .refused(let refusal): throw refusal.error
    }
  }

  // MARK: What the server tells

  private mutating func tell(
    _ claims: IDTokenClaims?, _ login: OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Identity> {
    guard let url = login.endpoints.userInfoURL else {
      if let claims { return .done(identity(claims, Facts())) }
      return try introspect(login, input)
    }
    let request = BoundRequest(url, granted.tokens)
    state = .userInfo(request, claims)
    return .step(try request.send(login, input))
  }

  private mutating func told(
    _ status: StatusClass, _ reply: HTTPReply, _ claims: IDTokenClaims?, _ login: OAuth2Login,
    _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Identity> {
    if let claims {
      // Who logged in is proven: what the page says besides must be about the same user.
      guard reply.status == 200,
        case .accepted(let facts) = try login.identityCheck().userInfo(
          reply.body, keys: keys, of: claims, at: input.moment.wall)
      else { return .done(identity(claims, Facts())) }
      return .done(identity(claims, facts))
    }
    if case .unavailable = status { throw .unavailable(reply, at: try login.url(.userInfo)) }
    return try named(by: reply, login, input)
  }

  /// What a page says without an ID token to compare with.
  private mutating func named(
    by page: HTTPReply, _ login: OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Identity> {
    switch try login.user(in: page, keys: keys, at: input.moment.wall) {
    case .accepted(let user):
      state = .ended
      var identity = OAuth2Identity(
        subject: user.subject, facts: user.facts, typed: granted.loginName)
      identity.kept.keys = document
      return .done(identity)
    case .unknownKey:
      if case .signed = state { throw IDTokenRefusal.token(.unknownKey).errorOfUserInfo }
      state = .signed(page)
      return .step(try askForKeys(login, isForced: false))
    case .refused(.userInfo), .refused(.token(.parts)): return try probe(login, input)
    case .refused(let refusal): throw refusal.errorOfUserInfo
    }
  }

  private mutating func identity(_ claims: IDTokenClaims, _ told: Facts) -> OAuth2Identity {
    state = .ended
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

  private mutating func introspect(
    _ login: OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Identity> {
    guard login.checkURL == nil, let url = login.usableIntrospectionURL else {
      return try probe(login, input)
    }
    var exchange = Introspection.question(granted.tokens, to: url, at: input.moment)
    let step = try exchange.send(login, input)
    state = .asking(exchange)
    return .step(step)
  }

  private mutating func introspected(
    _ introspection: Introspection?, _ login: OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Identity> {
    guard let introspection, introspection.isActive,
      let subject = introspection.subject ?? introspection.name
    else {
      return try probe(login, input)
    }
    state = .ended
    var facts = Facts()
    if let name = introspection.name { facts["preferred_username"] = .text(name) }
    var identity = OAuth2Identity(subject: subject, facts: facts, typed: granted.loginName)
    identity.kept.isUsername = introspection.subject == nil
    return .done(identity)
  }

  // MARK: The check URL

  private mutating func probe(
    _ login: OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Identity> {
    guard let url = login.checkURL, login.user != nil else {
      var error = GatebookError.unprovable(
        .proofNobody, remedy: "Give a check URL, and a name for the account.")
      if login.user == nil { error.setting = "user" }
      throw error
    }
    guard isForbidden == nil else { return try prove(url, login, input) }
    state = .probing(url)
    return .step(.send(HTTPRequest("GET", url, limits: .login)))
  }

  private mutating func prove(
    _ url: HTTPURL, _ login: OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Identity> {
    let request = BoundRequest(url, granted.tokens)
    state = .checking(request)
    return .step(try request.send(login, input))
  }

  private mutating func proven(
    _ status: StatusClass, _ reply: HTTPReply, _ url: HTTPURL, _ login: OAuth2Login
  ) throws(GatebookError) -> OAuth2Identity {
    state = .ended
    try CheckURL(url).checkHolder(status, reply)
    var identity = OAuth2Identity(
      named: login.user ?? granted.loginName ?? "", evidence: .check)
    identity.kept.isForbiddenToStrangers = isForbidden ?? false
    return identity
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
      otherAudiences: application.trustedAudiences, skew: application.idTokenRules.clockSkew,
      offset: clock.offset, maximumAge: application.idTokenRules.maximumAge,
      ignoresUnexpectedNonce: application.idTokenRules.ignoresUnexpectedNonce)
  }
}
