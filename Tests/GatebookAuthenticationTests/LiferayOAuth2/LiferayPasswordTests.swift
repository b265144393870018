internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct LiferayPasswordTests {
  private static let site = "https://portal.example.test"
  private static let token = "POST \(site)/o/oauth2/token"
  private static let invoke = "POST \(site)/api/jsonws/invoke"
  static let grant = HTTPReply.json(
    200,
    "{\"access_token\":\"tok12345\",\"token_type\":\"Bearer\",\"expires_in\":600,"
      + "\"refresh_token\":\"guest123\"}")
  static let user = HTTPReply.json(200, "[{\"userId\":\"123456\",\"companyId\":\"10154\"}]")

  static func method(
    user: String = "ada", password: String = "rabbit", id: String = "client",
    secret: String = "cipher", version: LiferayPortal.Version = .v7
  ) throws -> LoginMethod {
    .liferay(
      LiferayPortal(server: try .at(site), companyID: 10154, version: version),
      .oauth2Password(
        user: user, password: Secret(password), clientID: id, clientSecret: Secret(secret)))
  }

  private static let rows = [
    DialogueRow("start", [], token),
    DialogueRow("granted", [grant], invoke),
    DialogueRow("proven", [grant, user], "finish"),
    DialogueRow(
      "wrong password", [.json(400, "{\"error\":\"invalid_grant\"}")], "credentials.refused"),
    DialogueRow("defect 20: an empty 401 is the client", [.answer(401)], "configuration.invalid"),
    DialogueRow(
      "unknown client",
      [
        .json(400, "{\"error\":\"invalid_request\",\"error_description\":\"Client ID is invalid\"}")
      ],
      "configuration.invalid"),
    DialogueRow("an outage", [.page(503)], "server.unavailable"),
    DialogueRow("an outage at the proof", [grant, .page(500)], "server.unavailable"),
    DialogueRow("a guest", [grant, .answer(401)], "credentials.refused"),
    DialogueRow("no user id", [grant, .json(200, "[{}]")], "content.unexpected"),
  ]

  @Test(arguments: rows)
  func `the login's table`(_ row: DialogueRow) throws {
    var dialogue = Dialogue(try Self.method())
    #expect(dialogue.ending(row.replies) == row.ending)
  }

  @Test
  func `the request is the portal's own form`() throws {
    var dialogue = Dialogue(try Self.method(id: "id", secret: "s e:c"))
    try dialogue.play([])
    let request = try #require(dialogue.requests.first)
    #expect(
      request.fields.first("Authorization") == "Basic " + Base64.encode(Array("id:s e:c".utf8)))
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == "grant_type=password&username=ada&password=rabbit")
  }

  @Test
  func `what is missing is named in the documented order`() throws {
    func message(_ method: LoginMethod) throws -> String {
      try Dialogue.failure(of: method).message
    }
    #expect(try message(Self.method(user: "", password: "", id: "", secret: "")).contains("user"))
    #expect(try message(Self.method(password: "", id: "", secret: "")).contains("password"))
    #expect(try message(Self.method(id: "", secret: "")).contains("oauth2clientId"))
    #expect(try message(Self.method(secret: "", version: .v62)).contains("oauth2clientSecret"))
    #expect(try message(Self.method(version: .v62)).contains("6.2"))
  }

  @Test
  func `a session is restored as what it is, and renews itself`() throws {
    let outcome = try Dialogue.outcome(of: Self.method(), Self.grant, Self.user)
    #expect(type(of: outcome.proof).method == "liferay-oauth2-password")
    let record = try #require(Facts(decoding: outcome.proof.record.encoded))
    let proof = try #require(
      SessionProofs.decode(method: "liferay-oauth2-password", record: record))
    var refresh = Dialogue(try #require(proof.renewal(jar: CookieJar())))
    try refresh.play([
      .json(200, "{\"access_token\":\"tok2\",\"token_type\":\"bearer\",\"expires_in\":300}")
    ])
    let body = try #require(refresh.requests.first?.body)
    #expect(
      String(decoding: body, as: UTF8.self) == "grant_type=refresh_token&refresh_token=guest123")
    let renewed = try #require(refresh.outcome)
    #expect(renewed.person == outcome.person)
    let request = renewed.proof.authorise(
      .get(try .at("\(Self.site)/api/jsonws")), jar: CookieJar(), at: Dialogue.moment)
    #expect(request.fields.first("Authorization") == "Bearer tok2")
    // An answer without a refresh token keeps the old one: never another grant (defect 9).
    #expect(renewed.proof.renewal(jar: CookieJar()) != nil)
  }

  @Test
  func `defect 10: an unknown life is not over`() throws {
    let grant = HTTPReply.json(
      200, "{\"access_token\":\"t\",\"token_type\":\"bearer\",\"refresh_token\":\"r\"}")
    let outcome = try Dialogue.outcome(of: Self.method(), grant, Self.user)
    #expect(!outcome.proof.needsRenewal(atAge: .seconds(1_000_000)))
    #expect(outcome.proof.isUsable(atAge: .seconds(1_000_000)))
  }

  @Test(arguments: [(479, false, true), (480, true, true), (599, true, true), (600, true, false)])
  func `a token is renewed from 80 % of its life and serves until its end`(
    _ age: Int, _ isDue: Bool, _ serves: Bool
  ) throws {
    let outcome = try Dialogue.outcome(of: Self.method(), Self.grant, Self.user)
    #expect(outcome.proof.needsRenewal(atAge: .seconds(age)) == isDue)
    #expect(outcome.proof.isUsable(atAge: .seconds(age)) == serves)
  }

  @Test
  func `other applications of the host get no token`() throws {
    let method = LoginMethod.liferay(
      LiferayPortal(server: try .at("\(Self.site)/portal"), companyID: 10154),
      .oauth2Password(
        user: "ada", password: Secret("rabbit"), clientID: "c", clientSecret: Secret("s")))
    let outcome = try Dialogue.outcome(of: method, Self.grant, Self.user)
    let request = HTTPRequest.get(try .at("\(Self.site)/other"))
    #expect(
      outcome.proof.authorise(request, jar: CookieJar(), at: Dialogue.moment) == request)
  }
}
