internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct LiferayBasicTests {
  private static let invoke = "POST https://portal.example.test/api/jsonws/invoke"
  private static let user = "{\"userId\":\"123456\",\"companyId\":\"10154\"}"

  private func portal(
    _ version: LiferayPortal.Version = .v7, companyID: Int64 = 10154
  ) throws -> LiferayPortal {
    LiferayPortal(
      server: try .at("https://portal.example.test"), companyID: companyID, version: version)
  }

  private func method(
    _ user: LiferayUser = .email("ada@portal.example.test"), password: String = "rabbit",
    version: LiferayPortal.Version = .v7, companyID: Int64 = 10154, verifyIdentity: Bool? = nil
  ) throws -> LoginMethod {
    .liferay(
      try portal(version, companyID: companyID),
      .basic(user, password: Secret(password), verifyIdentity: verifyIdentity))
  }

  private static func exception(_ type: String) -> String {
    "{\"error\":{\"message\":\"m\",\"type\":\"a.b.\(type)\"},\"exception\":\"m\",\"throwable\":\"t\"}"
  }

  private static let rows = [
    DialogueRow("start", [], invoke),
    DialogueRow("user and caller", [.json(200, "[\(user),\(user)]")], "finish"),
    DialogueRow(
      "another caller", [.json(200, "[\(user),{\"userId\":\"1\"}]")], "identity.mismatch"),
    DialogueRow("no caller", [.json(200, "[\(user)]")], "content.unexpected"),
    DialogueRow("no user id", [.json(200, "[{\"companyId\":1},\(user)]")], "content.unexpected"),
    DialogueRow("a null user", [.json(200, "[{},{}]")], "content.unexpected"),
    DialogueRow("user id 0", [.json(200, "[{\"userId\":0},\(user)]")], "content.unexpected"),
    DialogueRow("401", [.answer(401)], "credentials.refused"),
    DialogueRow(
      "6.2: a guest", [.json(200, "{\"exception\":\"Authenticated access required\"}")],
      "credentials.refused"),
    DialogueRow("6.2: an exception", [.json(200, "{\"exception\":\"x\"}")], "server.refused"),
    DialogueRow("a guest", [.json(403, exception("SecurityException"))], "credentials.refused"),
    DialogueRow("no user", [.json(404, exception("NoSuchUserException"))], "credentials.refused"),
    DialogueRow(
      "no service", [.json(404, exception("NoSuchJSONWebServiceException"))],
      "configuration.invalid"),
    DialogueRow(
      "a token is wanted", [.page(403, "session does not have a CSRF token for x")],
      "configuration.invalid"),
    DialogueRow("a filter", [.page(403)], "server.refused"),
    DialogueRow("an outage", [.json(500, exception("RuntimeException"))], "server.unavailable"),
    DialogueRow("a proxy's outage", [.page(502)], "server.unavailable"),
    DialogueRow("too many", [.answer(429)], "server.unavailable"),
    DialogueRow("HTML for JSON", [.page()], "content.unexpected"),
    DialogueRow("moved", [.redirect(to: "/x")], "server.moved"),
    DialogueRow("no portal", [.page(404)], "configuration.invalid"),
    DialogueRow("odd", [.answer(418)], "server.refused"),
  ]

  @Test(arguments: rows)
  func `every answer of a portal has one meaning`(_ row: DialogueRow) throws {
    var dialogue = Dialogue(try method())
    #expect(dialogue.ending(row.replies) == row.ending)
  }

  @Test(arguments: [
    (LiferayUser.email("ada@portal.example.test"), 0), (.screenName("ada"), 1),
    (.userID(123_456), 2),
  ])
  func `requests are those of the recorded portals`(_ user: LiferayUser, _ index: Int) throws {
    var dialogue = Dialogue(try method(user, verifyIdentity: false))
    try dialogue.play([])
    let request = try #require(dialogue.requests.first)
    let recorded = try #require(JSONDocument.read(PackageResources.jsonws_requests_json)?.list)[
      index
    ].object
    let body = try #require(JSONDocument.read(request.body)?.list)
    #expect(FactValue.list(body) == recorded?["body"])
    #expect(request.url.path == recorded?["path"]?.text)
    #expect(request.method == "POST")
    #expect(request.field("Content-Type") == "application/json; charset=utf-8")
    #expect(!request.isRepeatable)
    #expect(request.limits.total == .seconds(15))
  }

  @Test
  func `the caller is asked for in the same batch from 7 and not on 6_2`() throws {
    var new = Dialogue(try method())
    try new.play([])
    #expect(new.requests.first?.text.contains("{\"/user/get-current-user\":{}}") == true)
    let old = try Dialogue.outcome(of: method(version: .v62), .json(200, "[\(Self.user)]"))
    #expect(old.evidence == .ownRecord)
    let newOutcome = try Dialogue.outcome(of: method(), .json(200, "[\(Self.user),\(Self.user)]"))
    #expect(newOutcome.evidence == .identity)
  }

  @Test(arguments: [
    "https://portal.example.test", "https://portal.example.test/",
    "https://portal.example.test/intranet", "https://portal.example.test/intranet/",
  ])
  func `a portal's URL may end with a slash or not`(_ server: String) throws {
    let portal = LiferayPortal(server: try .at(server), companyID: 1)
    var dialogue = Dialogue(.liferay(portal, .basic(.screenName("ada"), password: Secret("x"))))
    try dialogue.play([])
    let path = server.contains("intranet") ? "/intranet" : ""
    #expect(dialogue.requests.first?.url.path == "\(path)/api/jsonws/invoke")
  }

  @Test(arguments: [
    (LiferayUser.email(""), "x", Int64(1)), (.screenName("a:b"), "x", 1), (.userID(0), "x", 1),
    (.userID(-5), "x", 1), (.email("a@b.example"), "", 1), (.email("a@b.example"), "x", -1),
  ])
  func `what no portal takes is refused before anything is sent`(
    _ user: LiferayUser, _ password: String, _ companyID: Int64
  ) throws {
    var dialogue = Dialogue(try method(user, password: password, companyID: companyID))
    #expect(dialogue.ending([]) == "configuration.invalid")
    #expect(dialogue.requests.isEmpty)
  }

  @Test
  func `a server URL with a query is refused before anything is sent`() throws {
    let portal = LiferayPortal(server: try .at("https://portal.example.test/?p=1"), companyID: 1)
    var dialogue = Dialogue(.liferay(portal, .basic(.screenName("ada"), password: Secret("x"))))
    #expect(dialogue.ending([]) == "configuration.invalid")
  }

  @Test(arguments: ["[[{\"companyId\":\"10154\"}]]", "[[{\"companyId\":10154},{\"companyId\":1}]]"])
  func `a company id that is not set is learned from the first site`(_ sites: String) throws {
    var dialogue = Dialogue(try method(companyID: 0))
    try dialogue.play([.json(200, sites), .json(200, "[\(Self.user),\(Self.user)]")])
    #expect(dialogue.requests.first?.text == "[{\"/group/get-user-sites-groups\":{}}]")
    #expect(dialogue.requests.last?.text.contains("\"companyId\":10154") == true)
    #expect(dialogue.outcome?.person.tenant == "10154")
  }

  @Test(arguments: [
    ("no site", HTTPReply.json(200, "[[]]"), "configuration.invalid"),
    ("no list", .json(200, "[{}]"), "configuration.invalid"),
    ("wrong password", .answer(401), "credentials.refused"),
  ])
  func `a company id that cannot be learned is an error`(
    _ name: String, _ reply: HTTPReply, _ ending: String
  ) throws {
    var dialogue = Dialogue(try method(companyID: 0))
    #expect(dialogue.ending([reply]) == ending)
  }

  @Test
  func `a user id needs no company id`() throws {
    var dialogue = Dialogue(try method(.userID(123_456), companyID: 0))
    try dialogue.play([.json(200, "[\(Self.user),\(Self.user)]")])
    #expect(dialogue.outcome?.person.tenant == "10154")
  }

  @Test
  func `a failure carries the status and the class of the exception`() throws {
    let failure = try Dialogue.failure(
      of: method(), .json(404, Self.exception("NoSuchUserException")))
    #expect(failure.status == 404)
    #expect(failure.serverCode == "nosuchuserexception")
  }

  @Test(arguments: [
    ("com.liferay.portal.NoSuchUserException", "nosuchuserexception"), ("ada@example.test", nil),
    ("Something went wrong with ada", nil),
  ])
  func `on 6_2 a class is a code and words are none`(_ text: String, _ code: String?) throws {
    let failure = try Dialogue.failure(
      of: method(version: .v62), .json(200, "{\"exception\":\"\(text)\"}"))
    #expect(failure.code == .serverRefused)
    #expect(failure.serverCode == code)
  }

  @Test
  func `words of a server reach no error`() throws {
    let body =
      "{\"error\":{\"message\":\"WORDS\",\"type\":\"WORDS OF THE SERVER\"},\"exception\":\"WORDS\"}"
    for status in [200, 403, 404, 500] {
      let failure = try Dialogue.failure(of: method(), .json(status, body))
      #expect(!failure.description.uppercased().contains("WORDS"))
      #expect(failure.serverCode == nil)
    }
  }

  @Test
  func `the person is who the portal says, whatever was typed`() throws {
    let byMail = try Dialogue.outcome(of: method(), .json(200, "[\(Self.user),\(Self.user)]"))
    let byID = try Dialogue.outcome(
      of: method(.userID(123_456)), .json(200, "[\(Self.user),\(Self.user)]"))
    #expect(byMail.person.userID == "123456")
    #expect(byMail.person.tenant == "10154")
    #expect(byMail.person.loginName == "ada@portal.example.test")
    #expect(byMail.person.userID == byID.person.userID)
  }
}
