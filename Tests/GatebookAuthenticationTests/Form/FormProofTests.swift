internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct FormProofTests {
  private static let site = "https://www.example.test"
  private static let toLogin = HTTPReply.redirect(to: "/login.html")

  private func outcome(mayLogInAgain: Bool) throws -> Outcome {
    let method = LoginMethod.form(
      loginURL: try .at("\(Self.site)/dologin"), checkURL: try .at("\(Self.site)/form/"),
      user: "ada", password: Secret("rabbit"), mayLogInAgain: mayLogInAgain)
    return try Dialogue.outcome(
      of: method, Self.toLogin, .page(),
      .redirect(to: "/form/", cookies: ["gb_session=right;Path=/"]), .page(), .answer(200))
  }

  @Test(arguments: [
    ("401", HTTPReply.answer(401), SessionVerdict.authorityLost),
    ("to the login page", toLogin, .authorityLost),
    ("to the login page with a query", .redirect(to: "/login.html?expired"), .authorityLost),
    ("403", .answer(403), .unaffected), ("elsewhere", .redirect(to: "/other"), .unaffected),
    ("500", .answer(500), .unaffected), ("a page", .page(), .unaffected),
  ])
  func `a session's end shows as 401 or the login page`(
    _ name: String, _ reply: HTTPReply, _ verdict: SessionVerdict
  ) throws {
    let request = HTTPRequest.get(try .at("\(Self.site)/form/page"))
    #expect(try outcome(mayLogInAgain: false).proof.judge(reply, to: request) == verdict)
  }

  @Test
  func `requests carry the cookies of the jar and no others`() throws {
    let outcome = try outcome(mayLogInAgain: false)
    var request = HTTPRequest.get(try .at("\(Self.site)/form/page"))
    request.fields = [HTTPField("cookie", "gb_session=mallory")]
    let sent = outcome.proof.authorise(request, jar: outcome.jar, at: Dialogue.moment)
    #expect(sent.fields.values(of: "Cookie") == ["gb_session=right"])
  }

  @Test
  func `the password is kept where it may be used again, and only there`() throws {
    #expect(try outcome(mayLogInAgain: true).proof.record["password"] == .text("rabbit"))
    let forgetful = try outcome(mayLogInAgain: false)
    #expect(forgetful.proof.record["password"] == nil)
    #expect(forgetful.proof.renewal(jar: forgetful.jar) == nil)
  }

  @Test
  func `a renewal is a whole login that carries no old cookie`() throws {
    let outcome = try outcome(mayLogInAgain: true)
    var dialogue = Dialogue(try #require(outcome.proof.renewal(jar: outcome.jar)))
    try dialogue.play([
      Self.toLogin, .page(), .redirect(to: "/form/", cookies: ["gb_session=new;Path=/"]), .page(),
      .answer(200),
    ])
    #expect(dialogue.requests.prefix(3).allSatisfy { $0.field("Cookie") == nil })
    #expect(dialogue.outcome?.proof.record == outcome.proof.record)
  }

  @Test(arguments: [
    (HTTPReply.page(200, "<input type=password name=\"httpd_password\">"), "credentials.refused"),
    (.page(200, "<input name='httpd_password'>"), "credentials.refused"),
    (.page(200, "<p>Please accept the terms of this hotel.</p>"), "server.refused"),
    (.page(200, "<input type=password name=room>"), "server.refused"),
    (.redirect(to: "/login.html?failed"), "credentials.refused"),
    (.answer(401), "credentials.refused"),
  ])
  func `a page that is not the form refuses no password of a renewal`(
    _ reply: HTTPReply, _ code: String
  ) throws {
    let outcome = try outcome(mayLogInAgain: true)
    var renewal = Dialogue(try #require(outcome.proof.renewal(jar: outcome.jar)))
    let answers = [Self.toLogin, .page(), reply, Self.toLogin]
    let count = reply.status == 200 ? 4 : 3
    #expect(renewal.ending(Array(answers.prefix(count))) == code)
  }

  @Test(arguments: [
    ("alive", HTTPReply.answer(200), "finish"), ("401", .answer(401), "session.refused"),
    ("403", .answer(403), "server.refused"), ("login page", toLogin, "session.refused"),
    ("elsewhere", .redirect(to: "/other"), "server.moved"),
    ("trouble", .answer(503), "server.unavailable"),
  ])
  func `the check URL proves the session`(
    _ name: String, _ reply: HTTPReply, _ ending: String
  ) throws {
    let outcome = try outcome(mayLogInAgain: false)
    var dialogue = Dialogue(outcome.proof.verification(jar: outcome.jar))
    #expect(dialogue.ending([reply]) == ending)
    #expect(dialogue.requests.first?.field("Cookie") == "gb_session=right")
  }

  @Test
  func `a cookie that slides is in the jar of the proof`() throws {
    let outcome = try outcome(mayLogInAgain: false)
    var dialogue = Dialogue(outcome.proof.verification(jar: outcome.jar))
    try dialogue.play([.page(cookies: ["gb_session=slid;Path=/"])])
    let header = dialogue.outcome?.jar.header(
      for: try .at("\(Self.site)/"), at: Dialogue.moment.wall)
    #expect(header == "gb_session=slid")
  }
}
