import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

/// A server of OpenID Connect that describes itself, and the pieces to make a login at it fail.
enum IdentityServer {
  static let issuer = "https://issuer.example"
  static let callback = "http://127.0.0.1:8765/callback"

  /// What the server publishes of itself, some members changed or, with `nil`, left out; the values
  /// are JSON.
  static func metadata(
    _ changes: [String: String?] = [:], fields: KeyValuePairs<String, String> = [:]
  ) -> HTTPReply {
    var members = ["issuer": "\"\(issuer)\""]
    for (name, path) in [
      ("authorization_endpoint", "authorize"), ("token_endpoint", "token"), ("jwks_uri", "keys"),
      ("userinfo_endpoint", "me"), ("revocation_endpoint", "revoke"),
      ("device_authorization_endpoint", "device"),
    ] { members[name] = "\"\(issuer)/\(path)\"" }
    for (name, value) in changes { members[name] = value }
    let body = "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    return .answer(200, fields, body: body)
  }

  /// The server's keys: those of ``TokenMint``.
  static func keys(id: String = "mint") throws -> HTTPReply {
    let key = try #require(SigningKey(seed: [UInt8](repeating: 7, count: 32)))
    let x = Base64URL.encode(key.publicKey)
    return .json(
      200,
      "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"\(id)\",\"x\":\"\(x)\"}]}")
  }

  /// The token endpoint's answer; the values are JSON.
  static func granted(_ changes: [String: String?] = [:]) -> HTTPReply {
    var members = [
      "access_token": "\"tok12345\"", "token_type": "\"Bearer\"", "expires_in": "600",
      "refresh_token": "\"rabbit-refresh\"",
    ]
    for (name, value) in changes { members[name] = value }
    return .json(200, "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}")
  }

  /// The same with an ID token.
  static func granted(idToken: String) -> HTTPReply {
    granted(["id_token": "\"\(idToken)\""])
  }

  static let userInfo = HTTPReply.json(
    200, "{\"sub\":\"248289761001\",\"name\":\"Jane\",\"email\":\"jane@example.test\",\"age\":41}")

  static func application(
    _ authentication: OAuth2Application.Authentication = .none, scopes: [String] = ["profile"]
  ) -> OAuth2Application {
    var application = OAuth2Application(
      clientID: "gatebook", authentication: authentication, scopes: scopes)
    application.tokenAlgorithms = ["EdDSA"]
    return application
  }

  static func method(
    _ flow: OAuth2Flow = .code(redirectURI: callback), _ application: OAuth2Application? = nil,
    server: OAuth2Server = OAuth2Server(), checkURL: String? = nil, user: String? = nil,
    issuer: String = issuer
  ) throws -> LoginMethod {
    .openID(
      issuer: try #require(Issuer(issuer)), server: server,
      application: application ?? self.application(),
      flow: flow, checkURL: try checkURL.map { try .at($0) }, user: user)
  }

  /// The parameters of the page that was opened.
  static func page(_ dialogue: Dialogue) throws -> FormFields {
    let page = try #require(dialogue.opened?.page)
    return try #require(FormFields(decoding: Array((page.query ?? "").utf8)))
  }

  /// A login whose page is open.
  static func visiting(
    _ method: LoginMethod? = nil, metadata: HTTPReply = metadata()
  ) throws -> Dialogue {
    var dialogue = Dialogue(try method ?? Self.method())
    try dialogue.play([metadata])
    return dialogue
  }

  /// A login whose code was redeemed, with an ID token of which some claims are changed.
  static func redeemed(
    _ method: LoginMethod? = nil, metadata: HTTPReply = metadata(),
    claims: [String: String?] = [:]
  ) throws -> Dialogue {
    var dialogue = try visiting(method, metadata: metadata)
    let nonce = try #require(try page(dialogue)["nonce"])
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    var claims = claims
    if claims["nonce"] == nil { claims["nonce"] = "\"\(nonce)\"" }
    let mint = try TokenMint()
    try dialogue.hand(in: .reply(granted(idToken: mint.idToken(claims))))
    return dialogue
  }

  /// What a login that works proposes.
  static func outcome(
    _ method: LoginMethod? = nil, metadata: HTTPReply = metadata()
  ) throws -> Outcome {
    var dialogue = try redeemed(method, metadata: metadata)
    try dialogue.hand(in: .reply(keys()))
    if dialogue.outcome == nil { try dialogue.hand(in: .reply(userInfo)) }
    return try #require(dialogue.outcome)
  }
}

/// Where happenings lead a machine: `finish`, the code of the failure, `METHOD URL` of the request
/// that is sent next, or `open`.
func ending(_ dialogue: Dialogue, _ happenings: [Input.Happening]) -> String {
  var dialogue = dialogue
  let sent = dialogue.requests.count
  do {
    for happening in happenings { try dialogue.hand(in: happening) }
  } catch {
    for secret in ["tok12345", "rabbit", "c0de", "s3cret"]
    where error.description.contains(secret) {
      Issue.record("\(error) tells \(secret)")
    }
    return error.code.rawValue
  }
  if dialogue.outcome != nil { return "finish" }
  if dialogue.requests.count == sent, dialogue.opened != nil { return "open" }
  return dialogue.requests.last.map { "\($0.method) \($0.url)" } ?? "nothing"
}
