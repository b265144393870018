internal import Gatebook

/// What a fake identity server knows, and its answers.
struct IdentityState: FakeServerState {
  static let page = FakePage(name: "Gatebook fake identity server", kind: "provider")

  /// Whose a grant is, and what an ID token of it says.
  struct Grant: Hashable, Sendable {
    /// Whether a person allowed it; else the tokens are the application's own.
    var isPerson = true
    /// Whether an ID token was asked for.
    var wantsIdentity = false
    /// The scope that was asked for.
    var scope: String?
    /// What the ID token repeats.
    var nonce: String?
    /// How the person authenticated: the `acr` of the ID token.
    var contextClass: String?
    /// When the person authenticated, in seconds; `nil` where the ID token does not say it.
    var authenticated: Int64?
    /// The thumbprint of the key that its tokens are bound to.
    var key: String?
  }

  /// A code of the page that waits for its exchange.
  struct Code: Hashable, Sendable {
    var grant: Grant
    var redirectURI: String
    var challenge: String
  }

  var settings: FakeIdentitySettings
  /// The issuer.
  var url = ""
  /// The access tokens that are good.
  var tokens: [String: Grant] = [:]
  var refreshTokens: [String: Grant] = [:]
  /// The answers to refresh tokens that were used.
  var spent: [String: LoopbackReply] = [:]
  var issued: [String] = []
  var codes: [String: Code] = [:]
  /// The device codes that are good, and how often each was asked about.
  var devices: [String: (grant: Grant, polls: Int)] = [:]
  /// The assertions that were used: each is good once.
  var assertions: Set<String> = []
  /// The requests that were pushed, by their names: each opens one page.
  var pushed: [String: LoopbackRequest] = [:]
  /// How often the person has left by the page for it.
  var leavers = 0
  private var count = 0

  init(settings: FakeIdentitySettings) {
    self.settings = settings
  }

  /// The next number of a code or a token.
  mutating func number() -> Int {
    count += 1
    return count
  }

  /// Answers one request.
  mutating func answer(_ request: LoopbackRequest) -> LoopbackReply {
    switch (request.method, route(of: request)) {
    case ("GET", "/.well-known/openid-configuration"): .json(changed(metadata, .metadata))
    case ("GET", "/keys"): .json(publishedKeys())
    case ("GET", "/authorize"): authorize(request)
    case ("POST", "/par"): push(request)
    case ("POST", "/device"): device(request)
    case ("POST", "/token"): token(request)
    case ("POST", "/revoke"): revoke(request)
    case ("GET", "/me"): me(request)
    case ("GET", "/notes"): notes(request)
    case ("POST", "/introspect"): introspect(request)
    case ("GET", "/leave"): leave(request)
    case ("GET", "/safe"): safe(request)
    case ("GET", "/archive"): archive(request)
    default: .text("There is nothing here.\n", status: 404)
    }
  }

  /// The path below the issuer's own; an additional slash, as after an issuer that ends in one,
  /// does not count.
  private func route(of request: LoopbackRequest) -> String {
    let folder = url.split(separator: "/").dropFirst(2).map { "/\($0)" }.joined()
    guard !folder.isEmpty || url.hasSuffix("/") else { return request.path }
    let steps = request.path.split(separator: "/").map { "/\($0)" }.joined()
    return steps.hasPrefix("\(folder)/") ? String(steps.dropFirst(folder.count)) : "nowhere"
  }

  private var metadata: PlainJSON {
    var metadata: PlainJSON = [
      "issuer": .string(url), "authorization_endpoint": .string("\(url)/authorize"),
      "token_endpoint": .string("\(url)/token"), "jwks_uri": .string("\(url)/keys"),
      "userinfo_endpoint": .string("\(url)/me"),
      "revocation_endpoint": .string("\(url)/revoke"),
      "device_authorization_endpoint": .string("\(url)/device"),
      "end_session_endpoint": .string("\(url)/leave"),
      "authorization_response_iss_parameter_supported": true,
    ]
    if settings.takesPushedRequests {
      metadata["pushed_authorization_request_endpoint"] = .string("\(url)/par")
    }
    if settings.listsClientProof {
      metadata["token_endpoint_auth_methods_supported"] = .array([
        .string(settings.clientProof.rawValue)
      ])
    }
    return metadata
  }

  // MARK: The person

  /// RFC 6749 section 4.1.1: who opens the page is logged in already.
  private mutating func authorize(_ request: LoopbackRequest) -> LoopbackReply {
    guard let asked = takeAsked(by: request),
      asked("response_type") == "code", asked("client_id") == FakeIdentityServer.clientID,
      let redirectURI = asked("redirect_uri"), let state = asked("state"),
      let challenge = asked("code_challenge"), asked("code_challenge_method") == "S256"
    else { return .html("<p>This request is not understood.</p>", status: 400) }
    guard !settings.denies else {
      return answer(to: redirectURI, "error", "access_denied", state: state)
    }
    let code = issue("code-\(number())")
    var grant = grant(asked("scope"), asked("nonce"))
    if settings.isStrong {
      grant.contextClass = asked("acr_values")?.split(separator: " ").first.map(String.init)
    }
    if asked("max_age") != nil { grant.authenticated = request.received.wall.rawValue / 1_000_000 }
    codes[code] = Code(
      grant: grant, redirectURI: redirectURI, challenge: challenge)
    return answer(to: redirectURI, "code", code, state: state)
  }

  /// RFC 6749 section 4.1.2.
  private func answer(
    to redirectURI: String, _ name: String, _ value: String, state: String
  ) -> LoopbackReply {
    let parameters: PlainJSON = .object([
      PlainJSON.Member(name: name, value: .string(value)),
      PlainJSON.Member(name: "state", value: .string(state)),
      PlainJSON.Member(name: "iss", value: .string(url)),
    ])
    return .redirect(to: redirectURI, adding: changed(parameters, .redirect).texts)
  }

  /// An object with the changes of a place.
  func changed(_ object: PlainJSON, _ place: FakeIdentitySettings.Place) -> PlainJSON {
    var object = object
    for (name, text) in (settings.changes[place] ?? [:]).sorted(by: { $0.key < $1.key }) {
      object[name] = text.map { .raw($0) }
    }
    return object
  }

  /// RFC 8628 section 3.1.
  private mutating func device(_ request: LoopbackRequest) -> LoopbackReply {
    guard isClient(request) else { return .refused("invalid_client", status: 401) }
    let code = issue("device-\(number())")
    devices[code] = (grant(request.formValue("scope"), nil), 0)
    return .json([
      "device_code": .string(code), "user_code": "WDJB-MJHT",
      "verification_uri": .string("\(url)/enter"), "expires_in": 600, "interval": 1,
    ])
  }

  func grant(_ scope: String?, _ nonce: String?) -> Grant {
    let names = scope?.split(separator: " ").map(String.init)
    let granted = names?.filter { !settings.withheldScopes.contains($0) }
    return Grant(
      wantsIdentity: names?.contains("openid") ?? false, scope: granted?.joined(separator: " "),
      nonce: nonce)
  }

  // MARK: What is behind the tokens

  private func me(_ request: LoopbackRequest) -> LoopbackReply {
    guard let grant = bearer(request) else { return unknownToken(request) }
    guard grant.isPerson else { return .text("No person.\n", status: 403) }
    let person = changed(
      [
        "sub": .string(settings.subject),
        "preferred_username": .string(FakeIdentityServer.user), "email": "ada@example.test",
      ], .userInfo)
    guard settings.signsUserInfo else { return .json(person) }
    return .text(signed(person) + settings.endsUserInfo, type: "application/jwt")
  }

  private mutating func notes(_ request: LoopbackRequest) -> LoopbackReply {
    guard let grant = bearer(request) else { return unknownToken(request) }
    let name = grant.isPerson ? FakeIdentityServer.user : FakeIdentityServer.clientID
    let reply = LoopbackReply.text("The notes of \(name).\n")
    guard settings.rotatesProofNonces else { return reply }
    let nonce = "nonce-\(number())"
    settings.proofNonce = nonce
    return reply.with("DPoP-Nonce", nonce)
  }

  /// OpenID Connect RP-Initiated Logout 1.0 section 2: the hint must be an ID token of this server.
  private mutating func leave(_ request: LoopbackRequest) -> LoopbackReply {
    guard request.queryValue("client_id") == FakeIdentityServer.clientID,
      let hint = request.queryValue("id_token_hint"), let parts = SignedParts(compact: hint),
      parts.payload["sub"]?.string == FakeIdentityServer.subject
    else { return .html("<p>This request is not understood.</p>", status: 400) }
    leavers += 1
    return .html("<p>Good bye.</p>")
  }

  /// RFC 9470 section 3.
  private func safe(_ request: LoopbackRequest) -> LoopbackReply {
    guard let grant = bearer(request) else { return unknownToken(request) }
    guard grant.contextClass == "urn:example:two-factors" else {
      return .text(
        "Not like this.\n", status: 401,
        fields: [
          "WWW-Authenticate": #"Bearer error="insufficient_user_authentication", "#
            + #"acr_values="urn:example:two-factors", max_age="300""#
        ])
    }
    return .text("The safe of \(FakeIdentityServer.user).\n")
  }

  /// RFC 6750 section 3.1.
  private func archive(_ request: LoopbackRequest) -> LoopbackReply {
    guard let grant = bearer(request) else { return unknownToken(request) }
    guard grant.scope?.split(separator: " ").contains("archive") == true else {
      return .text(
        "Not with this token.\n", status: 403,
        fields: ["WWW-Authenticate": #"Bearer error="insufficient_scope", scope="archive""#])
    }
    return .text("The archive of \(FakeIdentityServer.user).\n")
  }

  private func bearer(_ request: LoopbackRequest) -> Grant? {
    guard settings.bindsTokens else {
      return request.authorization("bearer").flatMap { tokens[String($0)] }
    }
    guard let token = request.authorization("dpop"), let grant = tokens[String(token)],
      let proof = keyProof(request), proof.key == grant.key, proof.isOf(String(token)),
      settings.proofNonce.map({ $0 == proof.nonce }) ?? true
    else { return nil }
    return grant
  }
}
