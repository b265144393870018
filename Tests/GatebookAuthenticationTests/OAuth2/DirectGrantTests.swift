import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

struct DirectGrantTests {
  private typealias Server = PlainServer

  private static let check = "GET \(PlainServer.check)"
  private static let token = "POST \(PlainServer.site)/token"
  private static let granted = IdentityServer.granted()
  private static let stranger = HTTPReply.answer(401)

  private static let rows = [
    DialogueRow("start", [], check),
    DialogueRow("refused with 401", [stranger], token),
    DialogueRow("refused with 403", [.answer(403)], token),
    DialogueRow("refused with 400", [.answer(400)], token),
    DialogueRow("refused by a redirect", [.redirect(to: "/login")], token),
    DialogueRow("anybody may read it", [.answer(200)], "login.unprovable"),
    DialogueRow("no such page", [.answer(404)], "configuration.invalid"),
    DialogueRow("in trouble", [.answer(503)], "server.unavailable"),
    DialogueRow("odd", [.answer(418)], "server.refused"),
    DialogueRow("granted", [stranger, granted], check),
    DialogueRow("proven", [stranger, granted, .answer(204)], "finish"),
    DialogueRow("not proven, 401", [stranger, granted, stranger], "login.unprovable"),
    DialogueRow("not proven, 403", [stranger, granted, .answer(403)], "login.unprovable"),
    DialogueRow("not proven, page", [stranger, granted, .redirect(to: "/")], "login.unprovable"),
    DialogueRow("not now", [stranger, granted, .answer(500)], "server.unavailable"),
    DialogueRow(
      "wrong password", [stranger, .json(400, "{\"error\":\"invalid_grant\"}")],
      "credentials.refused"),
    DialogueRow(
      "wrong password, badly said", [stranger, .json(400, "{\"error\":\"invalid_request\"}")],
      "credentials.refused"),
    DialogueRow("wrong password, 403", [stranger, .answer(403)], "credentials.refused"),
    DialogueRow("wrong password, 401", [stranger, .answer(401)], "credentials.refused"),
    DialogueRow(
      "wrong client", [stranger, .json(401, "{\"error\":\"invalid_client\"}")],
      "configuration.invalid"),
    DialogueRow("token in trouble", [stranger, .answer(503)], "server.unavailable"),
    DialogueRow("token rate", [stranger, .answer(429)], "server.unavailable"),
    DialogueRow("token page", [stranger, .page()], "content.unexpected"),
  ]

  @Test(arguments: rows)
  func `by password each answer leads where the table says`(_ row: DialogueRow) throws {
    var dialogue = Dialogue(try Server.method())
    #expect(dialogue.ending(row.replies) == row.ending)
  }

  @Test
  func `the password goes once, in the body, with what was asked for`() throws {
    var dialogue = Dialogue(
      try Server.method(.password(user: "ada", Secret("s3 cret")), scopes: ["a", "b"]))
    try dialogue.play([Self.stranger])
    let request = try #require(dialogue.requests.last)
    #expect(!request.isRepeatable)
    let body = try #require(FormFields(decoding: request.body))
    #expect(
      body.fields.map { "\($0.name)=\($0.value)" } == [
        "grant_type=password", "username=ada", "password=s3 cret", "scope=a b", "client_id=app",
      ])
    #expect(dialogue.requests.first?.field("Authorization") == nil)
    try dialogue.hand(in: .reply(Self.granted))
    #expect(dialogue.requests.last?.field("Authorization") == "Bearer tok12345")
    try dialogue.hand(in: .reply(.answer(200)))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.evidence == .check)
    #expect(outcome.person.family == "oauth2")
    #expect(outcome.person.userID == "ada" && outcome.person.loginName == "ada")
    #expect(outcome.person.server.description == Server.site)
    #expect(outcome.proof.origin.description == "https://api.example.test")
    #expect(outcome.attributes.names.isEmpty)
  }

  @Test
  func `a session without leave to log in again keeps no password`() throws {
    let outcome = try Server.outcome()
    let password = "s3cret-word"
    #expect(!String(decoding: outcome.proof.record.encoded, as: UTF8.self).contains(password))
    let saved = try #require(outcome.credentials)
    let text = String(decoding: saved.record.encoded, as: UTF8.self)
    #expect(text.contains(password))
    #expect(!text.contains("tok12345") && !text.contains("rabbit"))
    var again = Dialogue(try #require(saved.renewal(jar: CookieJar())))
    #expect(again.ending([]) == Self.check)
    try again.hand(in: .reply(Self.stranger))
    let body = try #require(FormFields(decoding: again.requests.last?.body ?? []))
    #expect(body["username"] == "ada" && body["password"] == password)
  }

  @Test
  func `a page about the user replaces the check URL`() throws {
    var dialogue = Dialogue(try Server.method(paths: ["me"], checkURL: nil))
    #expect(dialogue.ending([]) == Self.token)
    try dialogue.hand(in: .reply(Self.granted))
    #expect(dialogue.requests.last?.url.description == "\(Server.site)/me")
    let named = HTTPReply.json(200, "{\"sub\":\"7\",\"nested\":{\"a\":[1]},\"iss\":\"x\"}")
    try dialogue.hand(in: .reply(named))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.evidence == .identity)
    #expect(outcome.person.userID == "7" && outcome.person.loginName == "ada")
    #expect(outcome.attributes.facts == ["nested": "{\"a\":[1]}", "sub": "7"])
  }

  @Test(arguments: [
    (HTTPReply.json(200, "{\"id\":7}"), "login.unprovable"), (.answer(403), "login.unprovable"),
    (.page(), "login.unprovable"), (.answer(503), "server.unavailable"),
  ])
  func `a page that names nobody proves nothing`(_ reply: HTTPReply, _ end: String) throws {
    var dialogue = Dialogue(try Server.method(paths: ["me"], checkURL: nil))
    #expect(dialogue.ending([Self.granted, reply]) == end)
  }

  @Test
  func `where the page names nobody the check URL may still prove the login`() throws {
    var dialogue = Dialogue(try Server.method(paths: ["me"]))
    try dialogue.play([Self.granted, .answer(403)])
    #expect(dialogue.requests.last?.field("Authorization") == nil)
    #expect(ending(dialogue, [.reply(Self.stranger)]) == Self.check)
    #expect(ending(dialogue, [.reply(Self.stranger), .reply(.answer(200))]) == "finish")
    #expect(ending(dialogue, [.reply(.answer(200))]) == "login.unprovable")
  }

  @Test
  func `an application is proven by its tokens`() throws {
    var dialogue = Dialogue(
      try Server.method(
        .clientCredentials, .post(Secret("s3cret")), scopes: ["x"], checkURL: nil))
    #expect(dialogue.ending([]) == Self.token)
    let body = try #require(FormFields(decoding: dialogue.requests.last?.body ?? []))
    #expect(
      body.fields.map { "\($0.name)=\($0.value)" } == [
        "grant_type=client_credentials", "scope=x", "client_id=app", "client_secret=s3cret",
      ])
    try dialogue.hand(in: .reply(IdentityServer.granted(["refresh_token": nil])))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.evidence == .token)
    #expect(outcome.person.userID == "app" && outcome.person.loginName == "app")
    // Nobody is there to ask: the next token comes as the first one did.
    #expect(!outcome.proof.isSingleUse)
    #expect(outcome.proof.needsRenewal(atAge: .seconds(480)))
    var again = Dialogue(try #require(outcome.proof.renewal(jar: CookieJar())))
    #expect(again.ending([IdentityServer.granted()]) == "finish")
    #expect(again.requests.count == 1)
  }

  @Test(arguments: [
    (HTTPReply.json(401, "{\"error\":\"invalid_client\"}"), "configuration.invalid"),
    (.answer(401), "configuration.invalid"), (.answer(400), "configuration.invalid"),
    (.json(400, "{\"error\":\"invalid_scope\"}"), "configuration.invalid"),
    (.json(400, "{\"error\":\"invalid_grant\"}"), "configuration.invalid"),
    (.page(400), "server.refused"), (.answer(503), "server.unavailable"),
  ])
  func `whatever refuses an application is about its settings`(
    _ reply: HTTPReply, _ end: String
  ) throws {
    var dialogue = Dialogue(
      try Server.method(.clientCredentials, .basic(Secret("s3cret")), checkURL: nil))
    #expect(dialogue.ending([reply]) == end)
  }

  @Test
  func `settings that cannot work are refused before anything is sent`() throws {
    let word = Secret("s3cret-word")
    let methods: [LoginMethod] = [
      try Server.method(.clientCredentials),
      try Server.method(.clientCredentials, .basic(Secret(""))),
      try Server.method(.password(user: "", word)),
      try Server.method(.password(user: "ada", word), scopes: ["a b"]),
      try Server.method(.password(user: "ada", word), checkURL: nil),
      try Server.method(.password(user: "ada", word), user: ""),
      try Server.method(.code(redirectURI: "app:/back")),
      try Server.method(.code(redirectURI: "app:/back"), paths: [], user: "ada"),
      try Server.method(.device, paths: ["authorize"], user: "ada"),
      try Server.method(.password(user: "ada", word), checkURL: "http://api.example.test/me"),
    ]
    for method in methods.dropLast() {
      var dialogue = Dialogue(method)
      #expect(dialogue.ending([]) == "configuration.invalid")
      #expect(dialogue.requests.isEmpty)
    }
    // The one server without TLS is the book's to permit.
    #expect(methods.last?.origin.description == "http://api.example.test")
  }

  @Test
  func `an empty password and an odd redirect are found after the proof's first step`() throws {
    for flow in [
      OAuth2Flow.password(user: "ada", Secret("")), .code(redirectURI: "nowhere"),
    ] {
      var dialogue = Dialogue(try Server.method(flow, user: "ada"))
      #expect(dialogue.ending([Self.stranger]) == "configuration.invalid")
      #expect(dialogue.requests.count == 1)
    }
  }
}

extension Moment {
  /// So many seconds before the dialogue's moment.
  static func earlier(_ seconds: Int) -> Moment {
    let moment = Dialogue.moment
    return Moment(wall: moment.wall - .seconds(seconds), boot: moment.boot - .seconds(seconds))
  }
}
