internal import Gatebook

/// What a fake identity server knows, and its answers.
struct IdentityState: Sendable {
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
    /// Whether the ID token says when the person authenticated.
    var tellsTime = false
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
  /// All codes and tokens that were ever given.
  var issued: [String] = []
  var codes: [String: Code] = [:]
  /// The device codes that are good, and how often each was asked about.
  var devices: [String: (grant: Grant, polls: Int)] = [:]
  /// The assertions that were used: each is good once.
  var assertions: Set<String> = []
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
    switch (request.method, request.path) {
    case ("GET", "/.well-known/openid-configuration"): .json(metadata.text)
    case ("GET", "/keys"):
      .json(PlainJSON.named(["keys": .array([FakeIdentityKey.server.jwk(settings.keyID)])]).text)
    case ("GET", "/authorize"): authorize(request)
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

  private var metadata: PlainJSON {
    var members = described
    guard settings.listsClientProof else { return .object(members) }
    let name =
      switch settings.clientProof {
      case .none: "none"
      case .basic: "client_secret_basic"
      case .post: "client_secret_post"
      case .privateKey: "private_key_jwt"
      }
    members.append(
      PlainJSON.Member(
        name: "token_endpoint_auth_methods_supported", value: .array([.string(name)])))
    return .object(members)
  }

  private var described: [PlainJSON.Member] {
    let named: KeyValuePairs<String, PlainJSON> = [
      "issuer": .string(url), "authorization_endpoint": .string("\(url)/authorize"),
      "token_endpoint": .string("\(url)/token"), "jwks_uri": .string("\(url)/keys"),
      "userinfo_endpoint": .string("\(url)/me"),
      "revocation_endpoint": .string("\(url)/revoke"),
      "device_authorization_endpoint": .string("\(url)/device"),
      "end_session_endpoint": .string("\(url)/leave"),
      "authorization_response_iss_parameter_supported": .bool(true),
    ]
    return named.map { PlainJSON.Member(name: $0.key, value: $0.value) }
  }

  // MARK: The person

  /// RFC 6749 section 4.1.1: who opens the page is logged in already.
  private mutating func authorize(_ request: LoopbackRequest) -> LoopbackReply {
    guard request.queryValue("response_type") == "code",
      request.queryValue("client_id") == FakeIdentityServer.clientID,
      let redirectURI = request.queryValue("redirect_uri"),
      let state = request.queryValue("state"), let challenge = request.queryValue("code_challenge"),
      request.queryValue("code_challenge_method") == "S256"
    else { return .html("<p>This request is not understood.</p>", status: 400) }
    let more = "state=\(state)&iss=\(url)"
    guard !settings.denies else {
      return .redirect(to: "\(redirectURI)?error=access_denied&\(more)")
    }
    let code = "code-\(number())"
    issued.append(code)
    var grant = grant(request.queryValue("scope"), request.queryValue("nonce"))
    if settings.isStrong {
      let classes = request.queryValue("acr_values")?.split(separator: " ")
      grant.contextClass = classes?.first.map(String.init)
    }
    grant.tellsTime = request.queryValue("max_age") != nil
    codes[code] = Code(
      grant: grant, redirectURI: redirectURI, challenge: challenge)
    return .redirect(to: "\(redirectURI)?code=\(code)&\(more)")
  }

  /// RFC 8628 section 3.1.
  private mutating func device(_ request: LoopbackRequest) -> LoopbackReply {
    guard isClient(request) else { return .refused("invalid_client", status: 401) }
    let code = "device-\(number())"
    issued.append(code)
    devices[code] = (grant(request.formValue("scope"), nil), 0)
    let answer = PlainJSON.named([
      "device_code": .string(code), "user_code": .string("WDJB-MJHT"),
      "verification_uri": .string("\(url)/enter"), "expires_in": .integer(600),
      "interval": .integer(1),
    ])
    return .json(answer.text)
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
    guard let grant = bearer(request) else { return .unknownToken }
    guard grant.isPerson else { return .text("No person.\n", status: 403) }
    let person = PlainJSON.named([
      "sub": .string(settings.subject),
      "preferred_username": .string(FakeIdentityServer.user),
      "email": .string("ada@example.test"),
    ])
    return .json(person.text)
  }

  private func notes(_ request: LoopbackRequest) -> LoopbackReply {
    guard let grant = bearer(request) else { return .unknownToken }
    let name = grant.isPerson ? FakeIdentityServer.user : FakeIdentityServer.clientID
    return .text("The notes of \(name).\n")
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
    guard let grant = bearer(request) else { return .unknownToken }
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
    guard let grant = bearer(request) else { return .unknownToken }
    guard grant.scope?.split(separator: " ").contains("archive") == true else {
      return .text(
        "Not with this token.\n", status: 403,
        fields: ["WWW-Authenticate": #"Bearer error="insufficient_scope", scope="archive""#])
    }
    return .text("The archive of \(FakeIdentityServer.user).\n")
  }

  private func bearer(_ request: LoopbackRequest) -> Grant? {
    request.authorization("bearer").flatMap { tokens[String($0)] }
  }
}

extension LoopbackReply {
  /// A refusal of RFC 6749 section 5.2.
  static func refused(_ error: String, status: Int = 400) -> LoopbackReply {
    .json(PlainJSON.named(["error": .string(error)]).text, status: status)
  }

  /// A refusal of RFC 6750 section 3.1.
  fileprivate static let unknownToken = LoopbackReply.text(
    "Who are you?\n", status: 401, fields: ["WWW-Authenticate": #"Bearer error="invalid_token""#])
}
