internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct FormLoginTests {
  private static let site = "https://www.example.test"
  private static let toLogin = HTTPReply.redirect(to: "\(site)/login.html")
  private static let failed = HTTPReply.redirect(
    to: "\(site)/login.html?failed", cookies: ["gb_session=wrong;Path=/"])
  private static let worked = HTTPReply.redirect(
    to: "/form/", cookies: ["gb_session=right;Path=/;HttpOnly"])
  private static let asked = [toLogin, HTTPReply.page()]
  private static let posted = asked + [worked, .page()]

  private func method(
    check: String = "/form/", user: String = "ada", password: String = "rabbit",
    mayLogInAgain: Bool = false
  ) throws -> LoginMethod {
    .form(
      loginURL: try .at("\(Self.site)/dologin"),
      checkURL: try .at(check.hasPrefix("/") ? Self.site + check : check), user: user,
      password: Secret(password), mayLogInAgain: mayLogInAgain)
  }

  private static let rows = [
    DialogueRow("start", [], "GET \(site)/form/"),
    DialogueRow("the login page is learned and read", [toLogin], "GET \(site)/login.html"),
    DialogueRow("then the form is posted", asked, "POST \(site)/dologin"),
    DialogueRow("refused with 401", [.answer(401)], "POST \(site)/dologin"),
    DialogueRow("refused with 403", [.answer(403)], "POST \(site)/dologin"),
    DialogueRow(
      "a login page elsewhere is not read", [.redirect(to: "https://sso.example.test/")],
      "POST \(site)/dologin"),
    DialogueRow("a login page in trouble", [toLogin, .answer(503)], "server.unavailable"),
    DialogueRow("a login page that is missing", [toLogin, .answer(404)], "POST \(site)/dologin"),
    DialogueRow("anybody may read it", [.answer(200)], "login.unprovable"),
    DialogueRow("check URL not there", [.answer(404)], "configuration.invalid"),
    DialogueRow("check URL in trouble", [.answer(502)], "server.unavailable"),
    DialogueRow("check URL odd", [.answer(418)], "server.refused"),
    DialogueRow("redirect without a target", [.answer(302)], "server.moved"),
    DialogueRow(
      "respelled with TLS", [.redirect(to: "http://www.example.test/form/")], "server.moved"),
    DialogueRow("redirected to itself", [.redirect(to: "/form/")], "server.moved"),
    DialogueRow("wrong password", asked + [failed], "credentials.refused"),
    DialogueRow("wrong password, JSON", asked + [.json(401, "{}")], "credentials.refused"),
    DialogueRow("wrong password, empty 400", asked + [.answer(400)], "credentials.refused"),
    DialogueRow("wrong password, empty 403", asked + [.answer(403)], "credentials.refused"),
    DialogueRow("403 with a page", asked + [.page(403)], "server.refused"),
    DialogueRow("form not there", asked + [.answer(404)], "configuration.invalid"),
    DialogueRow("form in trouble", asked + [.answer(500)], "server.unavailable"),
    DialogueRow(
      "a password is not sent to a second URL", asked + [.redirect(to: "/login2", status: 307)],
      "server.moved"),
    DialogueRow("redirected inside", asked + [worked], "GET \(site)/form/"),
    DialogueRow(
      "redirected to another server", asked + [.redirect(to: "https://evil.example/x")],
      "GET \(site)/form/"),
    DialogueRow("a page instead of a redirect", asked + [.page()], "GET \(site)/form/"),
    DialogueRow(
      "sent back later", asked + [.redirect(to: "/a"), .redirect(to: "/login.html")],
      "credentials.refused"),
    DialogueRow(
      "redirect loop",
      asked + [HTTPReply](repeating: .redirect(to: "/loop"), count: 12), "limit.exceeded"),
    DialogueRow("after the redirects the check", posted, "GET \(site)/form/"),
    DialogueRow("trouble on the way", asked + [worked, .answer(503)], "GET \(site)/form/"),
    DialogueRow("proven", posted + [.answer(200)], "finish"),
    DialogueRow("check refuses with 401", posted + [.answer(401)], "credentials.refused"),
    DialogueRow("check refuses with 403", posted + [.answer(403)], "credentials.refused"),
    DialogueRow("check sends to the login page", posted + [toLogin], "credentials.refused"),
    DialogueRow(
      "a strange network sends it away, and the server never heard of it",
      asked + [.redirect(to: "http://portal.example.test/"), .answer(401)], "server.moved"),
    DialogueRow(
      "a strange network answers all of it",
      asked + [.page(), .redirect(to: "http://portal.example.test/")], "login.unprovable"),
    DialogueRow(
      "nobody can tell whose page it was", asked + [.page(), toLogin], "credentials.refused"),
    DialogueRow(
      "check sends elsewhere", posted + [.redirect(to: "/welcome")], "login.unprovable"),
    DialogueRow("check is gone", posted + [.answer(404)], "login.unprovable"),
    DialogueRow("check is odd", posted + [.answer(418)], "login.unprovable"),
    DialogueRow("check in trouble", posted + [.answer(503)], "server.unavailable"),
    DialogueRow(
      "sent to another server and refused",
      asked + [.redirect(to: "https://sso.example.test/"), .answer(401)], "server.moved"),
  ]

  @Test(arguments: rows)
  func `every answer of a server has one meaning`(_ row: DialogueRow) throws {
    var dialogue = Dialogue(try method())
    #expect(dialogue.ending(row.replies) == row.ending)
  }

  @Test(arguments: [
    (asked + [toLogin], nil), (posted + [.answer(401)], "form.check"),
    (posted + [toLogin], "form.check"),
    (asked + [.redirect(to: "/a"), .redirect(to: "/login.html")], "form.check"),
  ])
  func `where the cookie may be what is missing, the refusal says so`(
    _ replies: [HTTPReply], _ fault: String?
  ) throws {
    var dialogue = Dialogue(try method())
    do throws(GatebookError) {
      try dialogue.play(replies)
      Issue.record("It was not refused.")
    } catch {
      #expect(error.code == .credentialsRefused)
      #expect(error.fault == fault)
    }
  }

  @Test
  func `a check URL without its last slash is respelled, not refused`() throws {
    var dialogue = Dialogue(try method(check: "/form"))
    #expect(dialogue.ending([.redirect(to: "/form/")]) == "server.moved")
  }

  @Test
  func `where a query alone tells the login page apart, the query counts`() throws {
    var dialogue = Dialogue(try method(check: "/index.php?page=account"))
    let toPage = HTTPReply.redirect(to: "/index.php?page=login")
    #expect(
      dialogue.ending([toPage, .page(), .redirect(to: "/index.php?page=account"), .page(), .page()])
        == "finish")
    dialogue = Dialogue(try method(check: "/index.php?page=account"))
    #expect(dialogue.ending([toPage, .page(), .page(), toPage]) == "credentials.refused")
  }

  @Test
  func `the probe and the form's first request carry no cookie of another session`() throws {
    var dialogue = Dialogue(try method())
    try dialogue.play([
      .redirect(to: "/login.html", cookies: ["probe=1"]),
      .page(cookies: ["csrf=2; Path=/"]), Self.worked, .page(cookies: ["late=3; Path=/"]),
      .answer(200),
    ])
    #expect(
      dialogue.requests.map { $0.field("Cookie") } == [
        nil, nil, "csrf=2", "probe=1; csrf=2; gb_session=right",
        "probe=1; csrf=2; gb_session=right; late=3",
      ])
    let jar = try #require(dialogue.outcome).jar
    #expect(
      jar.header(for: try .at("\(Self.site)/"), at: Dialogue.moment.wall)
        == "csrf=2; gb_session=right; late=3")
  }

  @Test
  func `the form is sent once with both fields`() throws {
    var dialogue = Dialogue(try method(password: "p&ss=w+rd %"))
    try dialogue.play(Self.asked)
    let form = try #require(dialogue.requests.last)
    #expect(!form.isRepeatable)
    #expect(form.text == "httpd_username=ada&httpd_password=p%26ss%3Dw%2Brd%20%25")
    #expect(form.field("Content-Type") == "application/x-www-form-urlencoded")
  }

  @Test
  func `what cannot work is refused before anything is sent`() throws {
    var other = Dialogue(try method(check: "https://other.example.test/form/"))
    #expect(other.ending([]) == "configuration.invalid")
    var nobody = Dialogue(try method(user: ""))
    #expect(nobody.ending([]) == "configuration.invalid")
    var empty = Dialogue(try method(password: ""))
    #expect(empty.ending([]) == "configuration.invalid")
  }

  @Test
  func `the outcome has the jar of the login and the check as evidence`() throws {
    var dialogue = Dialogue(try method())
    try dialogue.play(Self.posted + [.answer(200)])
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.evidence == .check)
    #expect(outcome.person == (try method()).person)
    #expect(!outcome.jar.isEmpty)
  }
}
