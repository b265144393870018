internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct LiferayCookieTests {
  private static let site = "https://portal.example.test"
  private static let login = "POST \(site)/c/portal/login"
  private static let invoke = "POST \(site)/api/jsonws/invoke"
  private static let home = "GET \(site)/"
  private static let toHome = HTTPReply.redirect(
    to: "/c", cookies: ["JSESSIONID=ada1; Path=/; HttpOnly", "ID=cipher; Path=/"])
  private static let themed = HTTPReply.page(
    200, "<script>Liferay.authToken = 'tok12345';</script>")
  private static let user = HTTPReply.json(200, "[{\"userId\":\"123456\",\"companyId\":\"10154\"}]")
  private static let guest = HTTPReply.json(
    403, "{\"exception\":\"Access denied to a.UserService#getCurrentUser\"}")
  private static let noToken = HTTPReply.page(403, "session does not have a CSRF token for a.B")
  private static let worked = [toHome, themed]

  private func method(
    version: LiferayPortal.Version = .v7, login: String = "ada", password: String = "rabbit",
    expiration: Duration = .seconds(900), rememberMe: Bool = false
  ) throws -> LoginMethod {
    .liferay(
      LiferayPortal(server: try .at(Self.site), companyID: 10154, version: version),
      .cookie(
        login: login, password: Secret(password), cookieExpirationTime: expiration,
        rememberMe: rememberMe))
  }

  private static let rows = [
    DialogueRow("start", [], login),
    DialogueRow("accepted", [toHome], "GET \(site)/c"),
    DialogueRow("followed", [toHome, .redirect(to: "/web/guest")], "GET \(site)/web/guest"),
    DialogueRow("a page at once", [themed], invoke),
    DialogueRow("a page with a token", worked, invoke),
    DialogueRow("proven", worked + [user], "finish"),
    DialogueRow("a guest", worked + [guest], "credentials.refused"),
    DialogueRow("401 after the page", worked + [.answer(401)], "credentials.refused"),
    DialogueRow(
      "a guest on 6.2", worked + [.json(200, "{\"exception\":\"Authenticated access required\"}")],
      "credentials.refused"),
    DialogueRow("no user id", worked + [.json(200, "[{}]")], "content.unexpected"),
    DialogueRow("HTML for JSON", worked + [.page()], "content.unexpected"),
    DialogueRow("an outage at the proof", worked + [.page(503)], "server.unavailable"),
    DialogueRow("moved at the proof", worked + [.redirect(to: "/x")], "server.moved"),
    DialogueRow(
      "no service",
      worked + [
        .json(404, "{\"error\":{\"type\":\"a.NoSuchJSONWebServiceException\"},\"exception\":\"x\"}")
      ],
      "configuration.invalid"),
    DialogueRow("the token is refused once", worked + [noToken], home),
    DialogueRow("a filter's 403 once", worked + [.page(403)], home),
    DialogueRow("a fresh token", worked + [noToken, themed], invoke),
    DialogueRow("proven with a fresh token", worked + [noToken, themed, user], "finish"),
    DialogueRow(
      "the token is refused twice", worked + [noToken, themed, noToken], "server.refused"),
    DialogueRow("no page with a token", [toHome, .page()], "content.unexpected"),
    DialogueRow("an SSO page", [.page()], "content.unexpected"),
    DialogueRow("an SSO server", [.redirect(to: "https://sso.example/x")], "origin.foreign"),
    DialogueRow(
      "redirect loop", [HTTPReply](repeating: .redirect(to: "/c"), count: 12), "limit.exceeded"),
    DialogueRow(
      "a password is not sent to a second URL", [.redirect(to: "/x", status: 307)], "server.moved"),
    DialogueRow("308 likewise", [.redirect(to: "/x", status: 308)], "server.moved"),
    DialogueRow("the login wants a token", [.page(403)], home),
    DialogueRow("the login gets one", [.page(403), themed], login),
    DialogueRow("no token for the login", [.page(403), .page()], "content.unexpected"),
    DialogueRow("the login refuses it", [.page(403), themed, .page(403)], "server.refused"),
    DialogueRow("the login takes it", [.page(403), themed, toHome], "GET \(site)/c"),
    DialogueRow(
      "a challenge", [.answer(401, ["WWW-Authenticate": "Basic realm=\"front\""])],
      "challenge.unhandled"),
    DialogueRow("401 without one", [.answer(401)], "credentials.refused"),
    DialogueRow("an outage", [.answer(500)], "server.unavailable"),
    DialogueRow("an outage behind the login", [toHome, .answer(502)], "server.unavailable"),
    DialogueRow("no portal", [.page(404)], "configuration.invalid"),
    DialogueRow("odd", [.answer(418)], "server.refused"),
  ]

  @Test(arguments: rows)
  func `every answer of a portal has one meaning`(_ row: DialogueRow) throws {
    var dialogue = Dialogue(try method())
    #expect(dialogue.ending(row.replies) == row.ending)
  }

  @Test
  func `forms are those of the recorded portals`() throws {
    let vectors = try #require(
      JSONDocument.read(PackageResources.cookie_login_form_bodies_json)?.list)
    #expect(!vectors.isEmpty)
    for vector in vectors.compactMap(\.object) {
      var dialogue = Dialogue(
        try method(
          login: try #require(vector["login"]?.text),
          password: try #require(vector["password"]?.text)))
      try dialogue.play([])
      let form = try #require(dialogue.requests.first)
      #expect(form.text == vector["body"]?.text)
      #expect(form.field("Cookie") == "COOKIE_SUPPORT=true")
      #expect(form.field("Content-Type") == "application/x-www-form-urlencoded")
      #expect(form.url.query == nil)
      #expect(!form.isRepeatable)
    }
  }

  @Test
  func `tokens are found as in the recorded pages`() throws {
    let cases = try #require(JSONDocument.read(PackageResources.auth_token_html_json)?.list)
    #expect(!cases.isEmpty)
    for example in cases.compactMap(\.object) {
      let page = try #require(example["html"]?.text)
      #expect(LiferayToken.find(in: Array(page.utf8)) == example["token"]?.text, "\(page)")
    }
  }

  @Test(arguments: [
    ("Liferay.authToken = 'abcdef'", "abcdef"), ("Liferay.authToken = 'abcde'", nil),
    ("Liferay.authToken = 'ab-d_f'", "ab-d_f"), ("Liferay.authToken = 'ab d f'", nil),
    ("Liferay.authToken = 'abcdef\"", nil), ("Liferay.authToken = abcdef", nil),
    ("Liferay.authToken", nil), ("Liferay.authToken = '", nil),
    ("Liferay.authToken = ''; Liferay.authToken = 'abcdef'", "abcdef"),
    ("Liferay.authToken\n=\t'abcdef'", "abcdef"),
    (
      "Liferay.authToken='" + String(repeating: "a", count: 64) + "'",
      String(repeating: "a", count: 64)
    ),
    ("Liferay.authToken='" + String(repeating: "a", count: 65) + "'", nil),
  ])
  func `a token has 6 to 64 characters between equal quotes`(_ page: String, _ token: String?) {
    #expect(LiferayToken.find(in: Array(page.utf8)) == token)
  }

  @Test
  func `cookies of every hop are carried, and support for cookies is said once`() throws {
    var dialogue = Dialogue(try method())
    try dialogue.play([
      Self.toHome, .redirect(to: "/web", cookies: ["COOKIE_SUPPORT=true; Path=/"]), Self.themed,
      Self.user,
    ])
    #expect(
      dialogue.requests.map { $0.field("Cookie") } == [
        "COOKIE_SUPPORT=true", "COOKIE_SUPPORT=true; JSESSIONID=ada1; ID=cipher",
        "JSESSIONID=ada1; ID=cipher; COOKIE_SUPPORT=true",
        "JSESSIONID=ada1; ID=cipher; COOKIE_SUPPORT=true",
      ])
    #expect(dialogue.requests.last?.field("X-CSRF-Token") == "tok12345")
    #expect(dialogue.requests.dropLast().allSatisfy { $0.field("X-CSRF-Token") == nil })
  }

  @Test
  func `a login that wants a token gets the one of the same guest session`() throws {
    var dialogue = Dialogue(try method())
    try dialogue.play([
      .page(403),
      .page(200, "Liferay.authToken='guest123'", cookies: ["JSESSIONID=guest; Path=/"]),
    ])
    #expect(dialogue.requests.last?.text == "login=ada&password=rabbit&p_auth=guest123")
    #expect(dialogue.requests.last?.field("Cookie") == "COOKIE_SUPPORT=true; JSESSIONID=guest")
  }

  @Test
  func `rememberMe is asked for when it is wanted`() throws {
    var dialogue = Dialogue(try method(rememberMe: true))
    try dialogue.play([])
    #expect(dialogue.requests.first?.text == "login=ada&password=rabbit&rememberMe=true")
  }

  @Test(arguments: [
    (LiferayPortal.Version.v62, "[{\"/screens-web.screensuser/get-current-user\":{}}]"),
    (.v7, "[{\"/user/get-current-user\":{}}]"),
  ])
  func `the current user is asked for as the version wants it`(
    _ version: LiferayPortal.Version, _ body: String
  ) throws {
    var dialogue = Dialogue(try method(version: version))
    try dialogue.play(Self.worked)
    #expect(dialogue.requests.last?.text == body)
  }

  @Test
  func `a negative expiration is refused by its name before anything is sent`() throws {
    let failure = try Dialogue.failure(of: method(expiration: .seconds(-1)))
    #expect(failure.code == .configurationInvalid)
    #expect(failure.message.contains("cookieExpirationTime"))
  }

  @Test(arguments: [("", "x"), ("ada", "")])
  func `an empty name or password is refused before anything is sent`(
    _ name: String, _ password: String
  ) throws {
    var dialogue = Dialogue(try method(login: name, password: password))
    #expect(dialogue.ending([]) == "configuration.invalid")
    #expect(dialogue.requests.isEmpty)
  }

  @Test
  func `the outcome names the user of the portal with its attributes`() throws {
    var dialogue = Dialogue(try method())
    try dialogue.play(Self.worked + [.json(200, "[\(PortalFixture.userV7)]")])
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.evidence == .identity)
    #expect(outcome.person.userID == "123456")
    #expect(outcome.person.tenant == "10154")
    #expect(outcome.attributes["firstName"] == "Ada")
    #expect(!outcome.jar.isEmpty)
  }
}
