internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct LiferayRedirectTests {
  private static let site = "https://portal.example.test"
  private static let callback = "http://127.0.0.1:8765/callback"
  private static let grant = HTTPReply.json(
    200,
    "{\"access_token\":\"tok12345\",\"token_type\":\"Bearer\",\"expires_in\":600,"
      + "\"refresh_token\":\"rabbit-refresh\",\"scope\":\"everything.read\"}")
  private static let user = HTTPReply.json(
    200, "[{\"userId\":\"123456\",\"companyId\":\"10154\",\"emailAddress\":\"ada@example.test\"}]")

  private func method(
    secret: String? = nil, scopes: [String] = [], id: String = "client",
    redirect: String = callback, site: String = site
  ) throws -> LoginMethod {
    .liferay(
      LiferayPortal(server: try .at(site), companyID: 10154),
      .oauth2Redirect(
        clientID: id, redirectURI: redirect, clientSecret: secret.map { Secret($0) },
        scopes: scopes))
  }

  private func opened(_ method: LoginMethod) throws -> Dialogue {
    var dialogue = Dialogue(method)
    try dialogue.play([])
    return dialogue
  }

  private func query(_ dialogue: Dialogue) throws -> FormFields {
    let page = try #require(dialogue.opened?.page)
    return try #require(FormFields(decoding: Array((page.query ?? "").utf8)))
  }

  @Test
  func `the page is asked for a code with PKCE and a state`() throws {
    let dialogue = try opened(method(scopes: ["a", "b c"]))
    #expect(dialogue.requests.isEmpty)
    let fields = try query(dialogue)
    #expect(dialogue.opened?.page.withoutQuery == "\(Self.site)/o/oauth2/authorize")
    #expect(fields["response_type"] == "code")
    #expect(fields["client_id"] == "client")
    #expect(fields["redirect_uri"] == Self.callback)
    #expect(fields["code_challenge_method"] == "S256")
    #expect(fields["code_challenge"]?.utf8.count == 43)
    #expect(fields["scope"] == "a b c")
    #expect(fields["state"] == dialogue.opened?.redirect.value)
    #expect((fields["state"]?.utf8.count ?? 0) >= 22)
  }

  @Test
  func `defect 15: no empty scope is sent`() throws {
    #expect(try query(opened(method()))["scope"] == nil)
  }

  @Test
  func `scopes with the names of OpenID Connect add no parameter`() throws {
    let fields = try query(opened(method(scopes: ["openid", "offline_access"])))
    #expect(fields["scope"] == "openid offline_access")
    #expect(fields["prompt"] == nil)
    #expect(fields["nonce"] == nil)
  }

  @Test
  func `the code is redeemed with the verifier, then the user is read`() throws {
    var dialogue = try opened(method())
    let challenge = try query(dialogue)["code_challenge"]
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    let token = try #require(dialogue.requests.last)
    #expect(token.url.description == "\(Self.site)/o/oauth2/token")
    #expect(!token.isRepeatable)
    #expect(token.fields.first("Authorization") == nil)
    let body = try #require(FormFields(decoding: token.body))
    #expect(body["grant_type"] == "authorization_code")
    #expect(body["code"] == "c0de")
    #expect(body["client_id"] == "client")
    #expect(body["redirect_uri"] == Self.callback)
    let verifier = try #require(body["code_verifier"])
    #expect(Base64URL.encode(SHA256().hash(Array(verifier.utf8))) == challenge)
    try dialogue.hand(in: .reply(Self.grant))
    let user = try #require(dialogue.requests.last)
    #expect(user.fields.first("Authorization") == "Bearer tok12345")
    try dialogue.hand(in: .reply(Self.user))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.person.userID == "123456")
    #expect(outcome.person.loginName == "ada@example.test")
    #expect(outcome.lifetime == .seconds(600))
    #expect(outcome.evidence == .identity)
    #expect(type(of: outcome.proof).method == "liferay-oauth2-redirect")
  }

  @Test
  func `a client with a secret authenticates by raw Basic and not in the body`() throws {
    var dialogue = try opened(method(secret: "s:cret%", id: "cl ient"))
    try dialogue.redirect(("code", "c0de"))
    let token = try #require(dialogue.requests.last)
    let expected = "Basic " + Base64.encode(Array("cl ient:s:cret%".utf8))
    #expect(token.fields.first("Authorization") == expected)
    #expect(try #require(FormFields(decoding: token.body))["client_id"] == nil)
  }

  @Test(arguments: [
    ("access_denied", "challenge.cancelled"), ("server_error", "server.unavailable"),
    ("temporarily_unavailable", "server.unavailable"), ("invalid_scope", "configuration.invalid"),
    ("unauthorized_client", "configuration.invalid"), ("odd", "server.refused"),
  ])
  func `an error of the page`(_ error: String, _ code: String) throws {
    var dialogue = try opened(method())
    do {
      try dialogue.redirect(("error", error))
      Issue.record("no failure")
    } catch {
      #expect(error.code.rawValue == code)
    }
  }

  @Test
  func `a redirect without a code is no login`() throws {
    var dialogue = try opened(method())
    #expect(throws: GatebookError.self) { try dialogue.redirect(("state", "s")) }
    #expect(dialogue.requests.isEmpty)
  }

  @Test(arguments: [
    ("", LiferayRedirectTests.callback, LiferayRedirectTests.site),
    ("client", "no-uri", LiferayRedirectTests.site),
    ("client", LiferayRedirectTests.callback, LiferayRedirectTests.site + "/?a=b"),
  ])
  func `settings are checked before anything happens`(
    _ id: String, _ redirect: String, _ site: String
  ) throws {
    var dialogue = Dialogue(try method(id: id, redirect: redirect, site: site))
    #expect(dialogue.ending([]) == "configuration.invalid")
    #expect(dialogue.opened == nil)
  }

  @Test
  func `the user's own answer decides`() throws {
    for (reply, code) in [
      (HTTPReply.answer(401), "credentials.refused"), (.page(503), "server.unavailable"),
      (.page(), "content.unexpected"),
    ] {
      var dialogue = try opened(method())
      try dialogue.redirect(("code", "c0de"))
      try dialogue.hand(in: .reply(Self.grant))
      do {
        try dialogue.hand(in: .reply(reply))
        Issue.record("no failure")
      } catch {
        #expect(error.code.rawValue == code)
      }
    }
  }
}
