import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookAuthentication

struct OpenIDCodeTests {
  private typealias Server = IdentityServer

  @Test
  func `the page is asked for a code with PKCE, a state and a nonce`() throws {
    let dialogue = try Server.visiting()
    let fields = try Server.page(dialogue)
    #expect(dialogue.opened?.page.withoutQuery == "https://issuer.example/authorize")
    #expect(fields["response_type"] == "code")
    #expect(fields["client_id"] == "gatebook")
    #expect(fields["redirect_uri"] == Server.callback)
    #expect(fields["scope"] == "openid profile")
    #expect(fields["code_challenge_method"] == "S256")
    #expect(fields["code_challenge"]?.utf8.count == 43)
    #expect(fields["state"]?.utf8.count == 43)
    #expect(fields["nonce"]?.utf8.count == 43)
    #expect(fields["dpop_jkt"] == nil)
    #expect(
      Set([fields["state"], fields["nonce"], fields["code_challenge"]]).count == 3)
    #expect(
      dialogue.opened?.redirect
        == AwaitedRedirect(
          uri: Server.callback, key: "state", value: fields["state"] ?? "", codeName: "code"))
  }

  @Test(
    arguments: [(["offline_access", "mail"], "consent"), (["mail"], nil), ([], nil)]
      as [([String], String?)])
  func `who asks for offline access asks for the person's consent`(
    _ scopes: [String], _ prompt: String?
  ) throws {
    let dialogue = try Server.visiting(
      try Server.method(
        .code(redirectURI: Server.callback), Server.application(scopes: scopes)))
    #expect(try Server.page(dialogue)["prompt"] == prompt)
  }

  @Test
  func `the code is redeemed once, with the verifier`() throws {
    var dialogue = try Server.visiting()
    let challenge = try Server.page(dialogue)["code_challenge"]
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    let request = try #require(dialogue.requests.last)
    #expect("\(request.method) \(request.url)" == "POST https://issuer.example/token")
    #expect(!request.isRepeatable)
    let body = try #require(FormFields(decoding: request.body))
    #expect(body["grant_type"] == "authorization_code")
    #expect(body["code"] == "c0de")
    #expect(body["redirect_uri"] == Server.callback)
    #expect(body["client_id"] == "gatebook")
    let verifier = try #require(body["code_verifier"])
    #expect(Base64URL.encode(SHA256().hash(Array(verifier.utf8))) == challenge)
  }

  @Test
  func `the ID token says who logged in, and userinfo says more`() throws {
    var dialogue = try Server.redeemed(claims: ["locale": "\"en\"", "sid": "\"x\""])
    #expect(dialogue.requests.last?.url.description == "https://issuer.example/keys")
    try dialogue.hand(in: .reply(Server.keys()))
    let asked = try #require(dialogue.requests.last)
    #expect("\(asked.method) \(asked.url)" == "GET https://issuer.example/me")
    #expect(asked.field("Authorization") == "Bearer tok12345")
    #expect(asked.field("DPoP") == nil)
    try dialogue.hand(in: .reply(Server.userInfo))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.evidence == .identity)
    #expect(outcome.person.family == "oidc")
    #expect(outcome.person.server.description == "https://issuer.example")
    #expect(outcome.person.tenant.isEmpty)
    #expect(outcome.person.userID == "248289761001")
    #expect(outcome.person.loginName == "jane@example.test")
    #expect(outcome.lifetime == .seconds(600))
    #expect(outcome.attributes.names == ["age", "email", "locale", "name", "sub"])
    #expect(outcome.attributes.facts["age"] == 41)
    #expect(type(of: outcome.proof).method == "oidc")
    #expect(outcome.proof.origin.description == "https://issuer.example")
    #expect(outcome.proof.bearer(since: Dialogue.moment.wall)?.scopes == ["openid", "profile"])
  }

  @Test
  func `an issuer with a path has users of its own`() throws {
    let issuer = "https://issuer.example/realms/x"
    let method = try Server.method(issuer: issuer)
    #expect(method.person.tenant == "/realms/x")
    #expect(method.person.server.description == "https://issuer.example")
    #expect(method.opensPage)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let reply: HTTPReply
    let ending: String
    var testDescription: String { "\(name): \(ending)" }
  }

  private static let codeRows = [
    Row(
      name: "refused", reply: .json(400, "{\"error\":\"invalid_grant\"}"), ending: "code.refused"),
    Row(
      name: "own code", reply: .json(403, "{\"error\":\"invalid_code\"}"), ending: "code.refused"),
    Row(name: "empty", reply: .answer(400), ending: "code.refused"),
    Row(name: "empty 401", reply: .answer(401), ending: "code.refused"),
    Row(
      name: "client", reply: .json(401, "{\"error\":\"invalid_client\"}"),
      ending: "configuration.invalid"),
    Row(name: "no endpoint", reply: .answer(404), ending: "configuration.invalid"),
    Row(name: "in trouble", reply: .answer(500), ending: "server.unavailable"),
    Row(name: "moved", reply: .redirect(to: "/x"), ending: "server.moved"),
    Row(name: "a page", reply: .page(), ending: "content.unexpected"),
    Row(
      name: "another type", reply: IdentityServer.granted(["token_type": "\"mac\""]),
      ending: "content.unexpected"),
    Row(
      name: "bound without a proof", reply: IdentityServer.granted(["token_type": "\"DPoP\""]),
      ending: "content.unexpected"),
    Row(name: "no ID token", reply: IdentityServer.granted(), ending: "content.unexpected"),
  ]

  @Test(arguments: codeRows)
  func `a code is used once, and each answer means one thing`(_ row: Row) throws {
    var dialogue = try Server.visiting()
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    #expect(ending(dialogue, [.reply(row.reply)]) == row.ending)
  }

  @Test(arguments: [
    ([("code", "c")], false, "POST https://issuer.example/token"),
    (
      [("code", "c"), ("iss", "https://issuer.example")], false, "POST https://issuer.example/token"
    ),
    (
      [("code", "c"), ("iss", "https://issuer.example")], true, "POST https://issuer.example/token"
    ),
    ([("code", "c"), ("iss", "https://issuer.example/")], false, "state.mismatch"),
    ([("code", "c"), ("iss", "https://other.example")], true, "state.mismatch"),
    ([("error", "access_denied"), ("iss", "https://other.example")], false, "state.mismatch"),
    ([("code", "c")], true, "state.mismatch"),
    ([("error", "access_denied")], true, "state.mismatch"),
    ([("error", "access_denied")], false, "challenge.cancelled"),
    ([("error", "server_error")], false, "server.unavailable"),
    ([("error", "invalid_scope")], false, "configuration.invalid"),
    ([("state", "s")], false, "content.unexpected"),
  ])
  func `the redirect's issuer comes before its error and its code`(
    _ fields: [(String, String)], _ isDemanded: Bool, _ end: String
  ) throws {
    let dialogue = try Server.visiting(
      metadata: Server.metadata([
        "authorization_response_iss_parameter_supported": isDemanded ? "true" : "false"
      ]))
    let redirect = FormFields(fields.map { FormFields.Field($0.0, $0.1) })
    #expect(ending(dialogue, [.redirect(redirect)]) == end)
  }

  @Test(arguments: [
    (["nonce": "\"other\""], "content.unexpected"),
    (["iss": "\"https://x\""], "content.unexpected"),
    (["aud": "\"other\""], "content.unexpected"), (["exp": "1600000000"], "content.unexpected"),
    (["sub": nil], "content.unexpected"), (["at_hash": "\"AAAA\""], "content.unexpected"),
    (["c_hash": "\"AAAA\""], "content.unexpected"), ([:], "GET https://issuer.example/me"),
  ])
  func `an ID token that does not hold is no login`(
    _ claims: [String: String?], _ end: String
  ) throws {
    #expect(
      ending(try Server.redeemed(claims: claims), [.reply(try Server.keys())]) == end)
  }

  @Test
  func `times are the server's, as its token endpoint shows them`() throws {
    // The token's hour is over by our clock, but not by the server's, which is two hours slow.
    for (date, end) in [
      ("Tue, 14 Nov 2023 22:13:20 GMT", "content.unexpected"),
      ("Tue, 14 Nov 2023 20:13:20 GMT", "GET https://issuer.example/me"),
    ] {
      var dialogue = try Server.visiting()
      let nonce = try #require(try Server.page(dialogue)["nonce"])
      try dialogue.redirect(("code", "c0de"), ("state", "s"))
      let token = try TokenMint().idToken([
        "nonce": "\"\(nonce)\"", "iat": "1699992000", "exp": "1699995600",
      ])
      var granted = Server.granted(idToken: token)
      granted.fields.append(HTTPField("Date", date))
      try dialogue.hand(in: .reply(granted))
      #expect(ending(dialogue, [.reply(try Server.keys())]) == end)
    }
  }

  @Test
  func `an unknown key is looked for once more`() throws {
    let dialogue = try Server.redeemed()
    let other = try Server.keys(id: "other")
    #expect(ending(dialogue, [.reply(other)]) == "GET https://issuer.example/keys")
    #expect(
      ending(dialogue, [.reply(other), .reply(try Server.keys())])
        == "GET https://issuer.example/me")
    #expect(ending(dialogue, [.reply(other), .reply(other)]) == "content.unexpected")
  }

  @Test(arguments: [
    (HTTPReply.answer(503), "server.unavailable"), (.answer(404), "configuration.invalid"),
    (.redirect(to: "/x"), "server.moved"), (.answer(403), "server.refused"),
    (.page(), "content.unexpected"),
  ])
  func `keys that cannot be had make no token invalid`(_ reply: HTTPReply, _ end: String) throws {
    #expect(ending(try Server.redeemed(), [.reply(reply)]) == end)
  }

  @Test(arguments: [
    HTTPReply.json(200, "{\"sub\":\"another\",\"name\":\"Eve\"}"), .json(200, "{\"name\":\"Eve\"}"),
    .answer(401), .answer(403), .answer(503), .page(),
  ])
  func `userinfo that is not about this user is dropped whole`(_ reply: HTTPReply) throws {
    var dialogue = try Server.redeemed(claims: ["name": "\"Jane\""])
    try dialogue.hand(in: .reply(try Server.keys()))
    try dialogue.hand(in: .reply(reply))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.attributes.facts == ["name": "Jane", "sub": "248289761001"])
  }

  @Test
  func `a userinfo endpoint without an answer ends no login`() throws {
    var dialogue = try Server.redeemed()
    try dialogue.hand(in: .reply(try Server.keys()))
    let lost = TransportFailure(
      GatebookError(.networkUnreachable, "Gone.", remedy: "Wait."), delivery: .maybeSent)
    #expect(ending(dialogue, [.failure(lost)]) == "finish")
  }

  @Test(arguments: [
    ("\"openid\"", ["openid"]), ("\"openid profile more\"", ["openid", "profile", "more"]),
    (nil, ["openid", "profile"]),
  ])
  func `what was granted is kept, not what was asked for`(
    _ scope: String?, _ scopes: [String]
  ) throws {
    var dialogue = try Server.visiting()
    let nonce = try #require(try Server.page(dialogue)["nonce"])
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    let token = try TokenMint().idToken(["nonce": "\"\(nonce)\""])
    try dialogue.hand(
      in: .reply(Server.granted(["scope": scope, "id_token": "\"\(token)\""])))
    try dialogue.hand(in: .reply(try Server.keys()))
    try dialogue.hand(in: .reply(Server.userInfo))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.proof.bearer(since: Dialogue.moment.wall)?.scopes == scopes)
    #expect(outcome.scope == scopes.joined(separator: " "))
  }
}
