import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

struct OAuth2RefreshTests {
  private typealias Server = PlainServer

  private static let lost = TransportFailure(
    GatebookError(.networkUnreachable, "Gone.", remedy: "Wait."), delivery: .maybeSent)

  private func refresh(_ proof: any SessionProof) throws -> Dialogue {
    var dialogue = Dialogue(try #require(proof.renewal(jar: CookieJar())))
    try dialogue.play([])
    return dialogue
  }

  private func started() throws -> Dialogue { try refresh(Server.outcome().proof) }

  @Test
  func `the refresh token is sent once, and what comes replaces what was`() throws {
    var dialogue = try started()
    let request = try #require(dialogue.requests.last)
    #expect("\(request.method) \(request.url)" == "POST \(Server.site)/token")
    #expect(!request.isRepeatable)
    let body = try #require(FormFields(decoding: request.body))
    #expect(
      body.fields.map { "\($0.name)=\($0.value)" } == [
        "grant_type=refresh_token", "refresh_token=rabbit-refresh", "client_id=app",
      ])
    try dialogue.hand(
      in: .reply(
        IdentityServer.granted([
          "access_token": "\"new\"", "refresh_token": "\"next\"", "expires_in": "60.5",
        ])))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.lifetime == .seconds(60))
    #expect(outcome.person == (try Server.outcome().person))
    #expect(outcome.proof.fingerprinted == Secret("next"))
    #expect(outcome.proof.bearer(since: Dialogue.moment)?.value == Secret("new"))
    #expect(outcome.attributes.names.isEmpty && outcome.changedEndpoints.isEmpty)
  }

  @Test
  func `an answer without a refresh token keeps the old one`() throws {
    var dialogue = try started()
    try dialogue.hand(
      in: .reply(
        IdentityServer.granted([
          "access_token": "\"new\"", "refresh_token": nil, "expires_in": nil,
        ])))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.proof.fingerprinted == Secret("rabbit-refresh"))
    #expect(outcome.lifetime == nil)
  }

  @Test
  func `the life counts from when the request was sent`() throws {
    var dialogue = try started()
    dialogue.moment = .earlier(-10)
    try dialogue.hand(in: .reply(IdentityServer.granted()))
    #expect(dialogue.outcome?.lifetime == .seconds(600))
    #expect(dialogue.outcome?.sent == Dialogue.moment)
  }

  @Test
  func `no answer is the transport's failure`() throws {
    #expect(ending(try started(), [.failure(Self.lost)]) == "network.unreachable")
  }

  // MARK: The whole table of section 9 of the protocol's notes

  private static func error(_ status: Int, _ code: String) -> HTTPReply {
    .json(status, "{\"error\":\"\(code)\"}")
  }

  private static let terminal: [HTTPReply] =
    [400, 401, 403].flatMap { status in
      [
        "invalid_grant", "invalid_token", "access_denied", "login_required",
        "interaction_required", "consent_required",
      ].map { error(status, $0) } + [
        .answer(status, ["Content-Length": "0"]),
        .answer(status, ["Content-Type": "text/html", "Transfer-Encoding": "chunked"]),
      ]
    } + [
      error(200, "invalid_grant"), error(200, "access_denied"), error(200, "consent_required"),
      .json(200, "{\"error\":\"invalid_token\",\"access_token\":null}"),
      // Labelled as something else: judged by content.
      .page(401, "{\"error\":\"invalid_grant\"}"),
    ]

  @Test(arguments: terminal)
  func `a closed list of answers ends a session`(_ reply: HTTPReply) throws {
    #expect(ending(try started(), [.reply(reply)]) == "token.refused")
  }

  private static let others: [(HTTPReply, String)] =
    [400, 401, 403].flatMap { status in
      [
        "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
        "invalid_request",
      ].map { (error(status, $0), "configuration.invalid") }
    }
    // Where nothing says that there was to be no body, it may be lost.
    + [400, 401, 403].map { (.answer($0), "content.unexpected") }
    + [404, 405, 410, 415].map { (.answer($0), "configuration.invalid") }
    + [408, 425, 429, 500, 502, 503].map { (.answer($0), "server.unavailable") }
    + [301, 302, 303, 307, 308].map { (.redirect(to: "/x", status: $0), "server.moved") }
    + [
      (error(500, "invalid_grant"), "server.unavailable"),
      (error(503, "invalid_token"), "server.unavailable"),
      (error(404, "invalid_grant"), "configuration.invalid"),
      (error(418, "invalid_grant"), "server.refused"),
      (error(422, "access_denied"), "server.refused"),
      (error(400, "own_code"), "server.refused"), (.answer(418), "server.refused"),
      (.page(400), "server.refused"), (.page(401, "no"), "server.refused"),
      (.answer(400, body: " "), "server.refused"), (.page(403), "server.refused"),
      (.json(400, "{\"error\":\"invalid_gr"), "server.refused"),
      (.page(200), "content.unexpected"), (.answer(200), "content.unexpected"),
      (.json(200, "{}"), "content.unexpected"), (error(200, "own_code"), "content.unexpected"),
      (error(200, "invalid_client"), "content.unexpected"),
      (error(201, "invalid_grant"), "content.unexpected"), (.answer(204), "content.unexpected"),
      (
        .json(200, "{\"error\":\"invalid_grant\",\"access_token\":\"a\",\"token_type\":\"mac\"}"),
        "content.unexpected"
      ),
      (.json(200, "{\"access_token\":\"a\",\"token_ty"), "content.unexpected"),
    ]

  @Test(arguments: others)
  func `no other answer does`(_ reply: HTTPReply, _ code: String) throws {
    #expect(ending(try started(), [.reply(reply)]) == code)
  }

  @Test(arguments: [200, 201])
  func `a grant is one with either status`(_ status: Int) throws {
    var dialogue = try started()
    try dialogue.hand(
      in: .reply(
        .json(
          status,
          "{\"access_token\":\"new\",\"refresh_token\":\"next\",\"token_type\":\"bearer\"}")))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.proof.fingerprinted == Secret("next"))
    #expect(outcome.proof.bearer(since: Dialogue.moment)?.value == Secret("new"))
  }

  // MARK: Answers that have used up what was sent, and grant nothing that can be used

  @Test(arguments: [
    // RFC 6749 section 5.1: "token_type REQUIRED".
    ["token_type": nil],
    ["token_type": "\"mac\""], ["access_token": nil], ["access_token": "\"\""],
    ["access_token": "7"], ["token_type": "\"DPoP\""],
  ])
  func `another refresh token is kept whatever else is wrong`(_ changes: [String: String?]) throws {
    var changes = changes
    changes["refresh_token"] = "\"next\""
    let former = try Server.outcome()
    var dialogue = try refresh(former.proof)
    try dialogue.hand(in: .reply(IdentityServer.granted(changes)))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.shortfall?.code == .contentUnexpected)
    #expect(outcome.unfitForLogin?.code == .contentUnexpected)
    #expect(outcome.proof.fingerprinted == Secret("next"))
    #expect(
      outcome.proof.bearer(since: Dialogue.moment)?.value
        == former.proof.bearer(since: Dialogue.moment)?.value)
    #expect(outcome.lifetime == former.lifetime)
    #expect(outcome.person == former.person)
  }

  @Test(arguments: [nil, "null", "\"\"", "7", "\"rabbit-refresh\""])
  func `one that is none, or the same, is no other`(_ refresh: String?) throws {
    let reply = IdentityServer.granted(["token_type": "\"mac\"", "refresh_token": refresh])
    #expect(ending(try started(), [.reply(reply)]) == "content.unexpected")
  }

  // MARK: The server's description of itself

  private func session() throws -> any SessionProof { try IdentityServer.outcome().proof }

  /// A refresh, so many seconds after the server was asked where it is.
  private func refreshed(_ age: Int) throws -> Dialogue {
    var dialogue = Dialogue(try #require(try session().renewal(jar: CookieJar())))
    dialogue.moment = .earlier(-age)
    try dialogue.play([])
    return dialogue
  }

  /// What is found out before a refresh then.
  private func prepared(_ age: Int) throws -> Dialogue {
    let moment = Moment.earlier(-age)
    var dialogue = Dialogue(try #require(try session().preparation(at: moment)))
    dialogue.moment = moment
    try dialogue.play([])
    return dialogue
  }

  /// Where the refresh goes with what was found out.
  private func place(_ dialogue: Dialogue, _ happenings: [Input.Happening]) throws -> String {
    var dialogue = dialogue
    for happening in happenings { try dialogue.hand(in: happening) }
    let outcome = try #require(dialogue.outcome)
    let proof = try #require(SessionProofs.decode(method: "oidc", record: outcome.proof.record))
    return try #require(try refresh(proof).requests.last).url.description
  }

  private static let discovery = "https://issuer.example/.well-known/openid-configuration"
  private static let moved = IdentityServer.metadata([
    "token_endpoint": "\"https://issuer.example/v2/token\""
  ])

  @Test
  func `fresh metadata is not asked for again`() throws {
    #expect(try session().preparation(at: .earlier(-3599)) == nil)
    #expect(try refreshed(3599).requests.map(\.url.description) == ["https://issuer.example/token"])
    // Without an issuer there is nobody to ask.
    #expect(try Server.outcome().proof.preparation(at: .earlier(-9999)) == nil)
  }

  @Test
  func `old metadata is, before the refresh, and a moved endpoint is told`() throws {
    var dialogue = try prepared(3600)
    #expect(dialogue.requests.map(\.url.description) == [Self.discovery])
    #expect(dialogue.requests.map(\.limits.total) == [.seconds(5)])
    try dialogue.hand(in: .reply(Self.moved))
    let found = try #require(dialogue.outcome)
    #expect(found.changedEndpoints == ["token_endpoint"])
    #expect(found.proof.preparation(at: .earlier(-7199)) == nil)
    #expect(found.proof.preparation(at: .earlier(-7200)) != nil)
    var renewal = try refresh(found.proof)
    #expect(renewal.requests.last?.url.description == "https://issuer.example/v2/token")
    try renewal.hand(in: .reply(IdentityServer.granted()))
    // It was told.
    #expect(renewal.outcome?.changedEndpoints == [])
  }

  @Test
  func `an application's own tokens follow their server too`() throws {
    var login = Dialogue(
      try IdentityServer.method(.clientCredentials, IdentityServer.application(.post(Secret("s")))))
    try login.play([IdentityServer.metadata(), IdentityServer.granted(["refresh_token": nil])])
    let proof = try #require(login.outcome?.proof)
    var again = Dialogue(try #require(proof.renewal(jar: CookieJar())))
    again.moment = .earlier(-3600)
    try again.play([Self.moved, IdentityServer.granted()])
    #expect(again.outcome?.changedEndpoints == ["token_endpoint"])
    #expect(again.outcome?.person == login.outcome?.person)
  }

  private static let silence: [[Input.Happening]] = [
    [.failure(lost)], [.reply(.answer(503))], [.reply(.answer(404)), .reply(.answer(404))],
    [.reply(IdentityServer.metadata(["issuer": "\"https://other.example\""]))],
  ]

  @Test(arguments: silence.indices)
  func `a server that no longer describes itself keeps its endpoints, and is left alone`(
    _ index: Int
  ) throws {
    var dialogue = try prepared(3600)
    #expect(try place(dialogue, Self.silence[index]) == "https://issuer.example/token")
    for happening in Self.silence[index] { try dialogue.hand(in: happening) }
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.changedEndpoints.isEmpty)
    let proof = try #require(SessionProofs.decode(method: "oidc", record: outcome.proof.record))
    #expect(proof.preparation(at: .earlier(-3899)) == nil)
    #expect(proof.preparation(at: .earlier(-3900)) != nil)
    // A wall clock that was set back.
    #expect(proof.preparation(at: .earlier(1)) != nil)
  }

  @Test(arguments: [
    ["token_endpoint": "\"http://issuer.example/token\""], ["token_endpoint": nil],
    ["revocation_endpoint": "\"http://issuer.example/revoke\""],
  ])
  func `one that would have secrets without TLS, or no tokens, is not followed`(
    _ changes: [String: String?]
  ) throws {
    var dialogue = try prepared(3600)
    try dialogue.hand(in: .reply(IdentityServer.metadata(changes)))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.changedEndpoints.isEmpty)
    #expect(
      try refresh(outcome.proof).requests.last?.url.description == "https://issuer.example/token")
    let revocation = outcome.proof.logOut(jar: CookieJar(), at: Dialogue.moment).first
    #expect(revocation?.url.description == "https://issuer.example/revoke")
    #expect(outcome.proof.preparation(at: .earlier(-3899)) == nil)
  }

  @Test
  func `a session that was kept with its issuer as a URL follows the server, too`() throws {
    var record = try IdentityServer.outcome().proof.record
    var login = try #require(record["login"]?.object)
    #expect(login["issuer"] == "https://issuer.example")
    login["issuer"] = "https://issuer.example/"
    record["login"] = .object(login)
    let proof = try #require(SessionProofs.decode(method: "oidc", record: record))
    let moment = Moment.earlier(-3600)
    var dialogue = Dialogue(try #require(proof.preparation(at: moment)))
    dialogue.moment = moment
    try dialogue.play([])
    try dialogue.hand(in: .reply(Self.moved))
    let found = try #require(dialogue.outcome)
    #expect(
      try refresh(found.proof).requests.last?.url.description == "https://issuer.example/v2/token")
  }

  @Test(arguments: [404, 410])
  func `a token endpoint that is gone is looked for once`(_ status: Int) throws {
    let gone = Input.Happening.reply(.answer(status))
    let dialogue = try refreshed(0)
    #expect(ending(dialogue, [gone]) == "GET \(Self.discovery)")
    #expect(
      ending(dialogue, [gone, .reply(Self.moved)]) == "POST https://issuer.example/v2/token")
    #expect(ending(dialogue, [gone, .reply(Self.moved), gone]) == "configuration.invalid")
    #expect(
      ending(dialogue, [gone, .reply(IdentityServer.metadata())]) == "configuration.invalid")
    #expect(ending(dialogue, [gone, .failure(Self.lost)]) == "configuration.invalid")
    #expect(ending(dialogue, [.reply(.answer(405))]) == "configuration.invalid")
    #expect(ending(try started(), [gone]) == "configuration.invalid")
  }

  // MARK: ID tokens

  private func renewed(_ claims: [String: String?]) throws -> Dialogue {
    var dialogue = try refreshed(60)
    let token = try TokenMint().idToken(claims)
    try dialogue.hand(in: .reply(IdentityServer.granted(idToken: token)))
    return dialogue
  }

  @Test
  func `an ID token of the same user changes nothing`() throws {
    let outcome = try #require(try renewed([:]).outcome)
    #expect(outcome.person.userID == "248289761001")
    #expect(outcome.person == (try IdentityServer.outcome().person))
    #expect(outcome.refusedIDToken == nil)
  }

  @Test(arguments: [["sub": "\"another\""], ["iss": "\"https://other.example\""]])
  func `an ID token of another user is refused`(_ claims: [String: String?]) throws {
    let dialogue = try refreshed(60)
    let token = try TokenMint().idToken(claims)
    #expect(
      ending(dialogue, [.reply(IdentityServer.granted(idToken: token))]) == "identity.mismatch")
  }

  @Test(arguments: [
    ["aud": "\"other\""], ["exp": "1600000000"], ["iat": "1600000000"], ["nonce": "\"other\""],
    ["iss": nil],
  ])
  func `one that does not hold costs nobody the tokens`(_ claims: [String: String?]) throws {
    let outcome = try #require(try renewed(claims).outcome)
    #expect(outcome.proof.bearer(since: Dialogue.moment)?.value == Secret("tok12345"))
    #expect(outcome.refusedIDToken != nil)
  }

  @Test
  func `one with a new key is checked when the keys are there`() throws {
    var dialogue = try refreshed(60)
    let header = #"{"alg":"EdDSA","kid":"new"}"#
    let claims =
      #"{"iss":"https://issuer.example","sub":"another","aud":"gatebook","exp":1700003600,"#
      + #""iat":1700000000}"#
    let token = try TokenMint().token(claims, header: header)
    try dialogue.hand(in: .reply(IdentityServer.granted(idToken: token)))
    let outcome = try #require(dialogue.outcome)
    let proof = try #require(SessionProofs.decode(method: "oidc", record: outcome.proof.record))
    var check = Dialogue(proof.verification(jar: CookieJar()))
    try check.play([])
    #expect(check.requests.last?.url.description == "https://issuer.example/keys")
    #expect(
      ending(check, [.reply(try IdentityServer.keys(id: "new"))]) == "identity.mismatch")
    #expect(ending(check, [.reply(.answer(503))]) == "GET https://issuer.example/me")
    #expect(ending(check, [.failure(Self.lost)]) == "GET https://issuer.example/me")
    #expect(
      ending(check, [.reply(try IdentityServer.keys())]) == "GET https://issuer.example/me")
  }

  @Test(arguments: [
    ("as it was", "finish"), ("aud", "login.unprovable"), ("exp", "login.unprovable"),
  ])
  func `where nothing else proves a session, one that does not hold is no proof`(
    _ broken: String, _ end: String
  ) throws {
    let metadata = IdentityServer.metadata(["userinfo_endpoint": nil])
    let login = try IdentityServer.outcome(metadata: metadata).proof
    var dialogue = Dialogue(try #require(login.renewal(jar: CookieJar())))
    dialogue.moment = .earlier(-60)
    try dialogue.play([])
    let audience = broken == "aud" ? "other" : "gatebook"
    let expiry = broken == "exp" ? 1_600_000_000 : 1_700_003_600
    let claims =
      #"{"iss":"https://issuer.example","sub":"248289761001","aud":"\#(audience)","#
      + #""exp":\#(expiry),"iat":1700000000}"#
    let token = try TokenMint().token(claims, header: #"{"alg":"EdDSA","kid":"new"}"#)
    try dialogue.hand(in: .reply(IdentityServer.granted(idToken: token)))
    let record = try #require(dialogue.outcome).proof.record
    let proof = try #require(SessionProofs.decode(method: "oidc", record: record))
    var check = Dialogue(proof.verification(jar: CookieJar()))
    try check.play([])
    #expect(ending(check, [.reply(try IdentityServer.keys(id: "new"))]) == end)
  }

  /// Some servers give no ID token for a password or a device's code, but one with each refresh.
  @Test(arguments: ["248289761001", "another"])
  func `an ID token that comes first with a refresh is the account's, too`(
    _ subject: String
  ) throws {
    var login = Dialogue(try IdentityServer.method(.password(user: "jane", Secret("x"))))
    try login.play([
      IdentityServer.metadata(), IdentityServer.granted(), IdentityServer.userInfo,
    ])
    var dialogue = try refresh(try #require(login.outcome?.proof))
    let token = try TokenMint().idToken(["sub": "\"\(subject)\"", "nonce": nil])
    try dialogue.hand(in: .reply(IdentityServer.granted(idToken: token)))
    let outcome = try #require(dialogue.outcome)
    let proof = try #require(SessionProofs.decode(method: "oidc", record: outcome.proof.record))
    var check = Dialogue(proof.verification(jar: CookieJar()))
    try check.play([])
    #expect(check.requests.last?.url.description == "https://issuer.example/keys")
    #expect(
      ending(check, [.reply(try IdentityServer.keys())])
        == (subject == "another" ? "identity.mismatch" : "GET https://issuer.example/me"))
    #expect(ending(check, [.reply(.answer(503))]) == "GET https://issuer.example/me")
  }
}
