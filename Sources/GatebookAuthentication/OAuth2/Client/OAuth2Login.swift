internal import GatebookCrypto
package import GatebookEvents

/// What a login by OAuth 2 or OpenID Connect needs, and what was found out about its server on the
/// way; its session keeps it.
package struct OAuth2Login: Sendable {
  /// Where a server that describes itself is found; `nil`: everything is set by hand.
  var issuer: Issuer?
  /// The endpoints that are set by hand.
  var server: OAuth2Server
  /// The application.
  var application: OAuth2Application
  /// How the tokens come about.
  var grant: OAuth2Grant
  /// Refuses without a token and answers 2xx with one: the proof where the server names nobody.
  var checkURL: HTTPURL?
  /// The name under which the account is kept where the server names nobody.
  var user: String?
  /// What a server wants of this login, which then must come of it.
  var demand: StepUp?
  /// What the server publishes of itself.
  var metadata: ServerMetadata?
  /// What is known of the server's clock.
  var clock = ServerClock()
  /// The account's key, if its tokens are bound to one.
  var binding: TokenBinding?
  /// Whether the server is a Liferay portal.
  ///
  /// There a 401 of the token endpoint without a body is about the client. The scopes `openid` and
  /// `offline_access` are names like any others.
  var isPortal = false

  /// Where everything is: what was set by hand wins.
  var endpoints: OAuth2Server { server.filled(from: metadata?.endpoints) }

  /// Whether the server is to say who the user is.
  var expectsIdentity: Bool {
    grant != .clientCredentials
      && (asksForIDToken || endpoints.userInfoURL != nil
        || (checkURL == nil && usableIntrospectionURL != nil))
  }

  /// Whether an ID token is asked for that can be checked.
  var asksForIDToken: Bool { issuer != nil && application.asksForIdentity }

  // MARK: Settings

  /// What would only be found out by a useless request.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    try application.check()
    if let issuer { try Discovery.check(issuer) }
    try user?.checkAsSetting("user", remedy: "Give a name for the account.")
    if grant == .clientCredentials, case .client(.none, _) = application.authentication.way {
      throw .setting(
        "authentication", "an application without a secret cannot authenticate.",
        remedy: "Give the application's secret or key.")
    }
    try checkTransport()
  }

  /// That the flow can end, now that all endpoints are known which ever will be.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func checkEndpoints() throws(GatebookError) {
    try checkTransport()
    _ = try url(.token)
    switch grant {
    case .code:
      _ = try url(.authorisation)
      if asksForIDToken { _ = try url(.keys) }
    case .device:
      _ = try url(.deviceAuthorisation)
      if asksForIDToken { _ = try url(.keys) }
    case .password: break
    case .clientCredentials: return
    }
    guard expectsIdentity || checkURL != nil else {
      throw misfit(
        "checkURL", "it is missing, so nothing can prove this login.",
        remedy: "Give a URL that only logged-in users can read.")
    }
    guard expectsIdentity || user != nil else {
      throw misfit(
        "user",
        "it is missing, and the server does not name the user.",
        remedy: "Give a name for the account.")
    }
  }

  /// Secrets go everywhere here: TLS, this machine, or the one server whose permission counts.
  private func checkTransport() throws(GatebookError) {
    let allowed = exposed
    for (endpoint, url) in endpoints.all where !url.origin.isSecure && !url.origin.isLoopback {
      guard url.origin != allowed else { continue }
      throw misfit(
        endpoint.rawValue, "it does not use TLS.", remedy: "Give a URL with https.")
    }
  }

  /// Takes what the server publishes of itself now.
  ///
  /// A session keeps the known metadata if a server now leaves out its token endpoint, or wants
  /// secrets without TLS: that must neither lose the session nor send secrets in the clear.
  mutating func take(_ found: ServerMetadata) {
    var next = self
    next.metadata = found
    let isFit = (try? next.checkTransport()) != nil && next.endpoints.tokenURL != nil
    if isFit || metadata == nil {
      metadata = found
    } else {
      metadata?.missed = found.fetched
      metadata?.demandedPause = nil
    }
  }

  /// An endpoint that the flow cannot do without.
  func url(_ endpoint: OAuth2Server.Endpoint) throws(GatebookError) -> HTTPURL {
    if let url = endpoints[endpoint] { return url }
    var error = GatebookError.atLogin(
      .configurationInvalid, .endpointMissing, "It is \(endpoint.rawValue). \(sent)",
      remedy: "Set its URL yourself.")
    error.setting = endpoint.rawValue
    throw error
  }

  /// A setting that does not fit, and what was sent until that was found out.
  func misfit(_ name: String, _ message: String, remedy: String) -> GatebookError {
    .setting(name, message, remedy: remedy, sent: sent)
  }

  /// What was sent until a setting was found not to fit.
  private var sent: String {
    metadata == nil ? "Nothing was sent." : "Only the server's metadata was requested."
  }

  /// Asks for scopes besides those of the application.
  mutating func ask(for scopes: [String]) {
    for scope in scopes where !application.scopes.contains(scope) {
      application.scopes.append(scope)
    }
  }

  // MARK: Origins

  /// The server that knows the user: it distinguishes accounts.
  var home: Origin { issuer?.url.origin ?? server.tokenURL?.origin ?? Self.nowhere }

  /// Where the app's requests go: the check URL's server, which takes the tokens; else the server
  /// that gave them.
  ///
  /// Further ones are the user's to add.
  var origin: Origin { checkURL?.origin ?? home }

  /// The origin whose permission counts: one without TLS, if there is one.
  var exposedOrHome: Origin { exposed ?? home }

  private var exposed: Origin? {
    let urls = [checkURL].compactMap(\.self) + server.all.map(\.url)
    return urls.map(\.origin).first { !$0.isSecure && !$0.isLoopback }
  }

  /// A name that is nobody's (RFC 2606 section 2): no login has neither issuer nor token endpoint.
  private static let nowhere = Origin(scheme: "https", host: "server.invalid", port: 443)

  /// A person at this server.
  ///
  /// An issuer with a path is one of several at its server, such as a realm: it distinguishes their
  /// users.
  func person(_ family: String, userID: String, loginName: String) -> Person {
    let path = issuer?.url.path ?? "/"
    return Person(
      family: family, server: home, tenant: path == "/" ? "" : path,
      client: application.clientID, userID: userID, loginName: loginName)
  }

  // MARK: Requests

  /// A request to an endpoint that authenticates the application: with a new proof for every
  /// sending.
  ///
  /// - Throws: `configuration.invalid` where this machine does not sign with the key.
  func request(
    _ endpoint: HTTPURL, _ parameters: [(name: String, value: String)], at moment: Moment,
    random: Randomness
  ) throws(GatebookError) -> HTTPRequest {
    switch way {
    case .client(let way, let secret):
      return OAuth2Client(id: application.clientID, secret: secret, authentication: way)
        .request(endpoint, parameters)
    case .signed(let key, let keyID, let audience):
      let audience =
        switch audience {
        case .tokenEndpoint: try url(.token).description
        case .askedEndpoint: endpoint.description
        case .text(let text): text
        }
      let assertion = try PrivateKeyJWT(
        of: application.clientID, for: audience, key: key, keyID: keyID, at: moment,
        offset: clock.offset, random: random.bytes(for: "client_assertion"))
      return OAuth2Client(id: application.clientID, secret: nil, authentication: .none)
        .request(endpoint, parameters + assertion.parameters)
    }
  }

  /// A request with a token, bound to the account's key if the token is.
  func authorised(
    _ request: HTTPRequest, by tokens: OAuth2Tokens, at moment: Moment, random: Randomness
  ) throws(GatebookError) -> HTTPRequest {
    let request = request.replacing(tokens.field)
    guard tokens.isBound, let binding else { return request }
    return request.replacing(
      try binding.proof(
        of: request, accessToken: tokens.access, clock: clock, at: moment,
        random: random.bytes(for: "dpop")))
  }

  /// Takes what an answer tells besides: the time, and the nonce for the next proof.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - url: Where it came from.
  ///   - moment: When it came; `nil` if nobody knows.
  ///   - sent: When its request was sent; `nil`: just before.
  /// - Returns: Whether the nonce is a new one.
  mutating func learn(
    from reply: HTTPReply, of url: HTTPURL, at moment: Moment?, sent: Moment? = nil
  ) -> Bool {
    if let moment, url.origin == endpoints.tokenURL?.origin {
      clock.observe(reply, from: sent ?? moment, to: moment)
    }
    return binding?.learn(from: reply, of: url.origin) ?? false
  }
}

extension OAuth2Login: StoredRecord {
  /// Settings, secrets, and what was found out.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    application = try facts.required("application", kept?.application)
    binding = try facts.readable("binding", kept?.binding)
    checkURL = try facts.readable("checkURL", kept?.checkURL)
    demand = try facts.readable("demand", kept?.demand)
    grant = try facts.required("grant", kept?.grant)
    issuer = try facts.readable("issuer", kept?.issuer)
    metadata = try facts.readable("metadata", kept?.metadata)
    clock = try facts.required("offsetUs", kept?.clock)
    server = try facts.required("server", kept?.server)
    user = facts.optional("user", kept?.user)
    // Metadata is taken only of the issuer that was set. Where that was kept as a URL, in the one
    // form that equal URLs share, the server's own name is how it was meant.
    if let issuer, let metadata, let named = Issuer(metadata.issuer), named.url == issuer.url {
      self.issuer = named
    }
  }
}
