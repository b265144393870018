internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct LiferayCookieProofTests {
  @Test
  func `requests to the portal carry cookies and token`() throws {
    let outcome = try PortalLogin.outcome()
    let sent = outcome.proof.authorise(
      .get(try .at("\(PortalLogin.site)/documents/1")), jar: outcome.jar, at: Dialogue.moment)
    #expect(sent.field("Cookie") == "COOKIE_SUPPORT=true; JSESSIONID=ada1")
    #expect(sent.field("X-CSRF-Token") == "tok12345")
  }

  @Test
  func `other servers get neither cookie nor token`() throws {
    let outcome = try PortalLogin.outcome()
    let request = HTTPRequest.get(try .at("https://other.example.test/"))
    #expect(outcome.proof.authorise(request, jar: outcome.jar, at: Dialogue.moment) == request)
  }

  @Test
  func `a token is never sent with another session's cookie`() throws {
    let outcome = try PortalLogin.outcome()
    var jar = outcome.jar
    let url = try HTTPURL.at("\(PortalLogin.site)/")
    _ = jar.receive(
      .page(cookies: ["JSESSIONID=guest; Path=/"]), from: url, at: Dialogue.moment.wall,
      suffixes: nil)
    let sent = outcome.proof.authorise(.get(url), jar: jar, at: Dialogue.moment)
    #expect(sent.field("Cookie") == "COOKIE_SUPPORT=true; JSESSIONID=guest")
    #expect(sent.field("X-CSRF-Token") == nil)
  }

  @Test(arguments: [
    ("401", "documents/1", HTTPReply.answer(401), SessionVerdict.authorityLost),
    ("403", "documents/1", .page(403), .authorityLost),
    ("to the login", "group/a", .redirect(to: "/c/portal/login?p_l_id=1"), .authorityLost),
    ("elsewhere", "group/a", .redirect(to: "/web/guest"), .unaffected),
    (
      "a guest on 6.2", "api/jsonws/invoke",
      .json(200, "{\"exception\":\"Authenticated access required\"}"), .authorityLost
    ),
    ("a page", "documents/1", .page(), .unaffected),
    ("an outage", "documents/1", .answer(503), .unaffected),
    ("an exception", "api/jsonws/invoke", .json(500, "{\"exception\":\"x\"}"), .unaffected),
  ])
  func `a session ends by 401, 403 or the login page`(
    _ name: String, _ path: String, _ reply: HTTPReply, _ verdict: SessionVerdict
  ) throws {
    let request = HTTPRequest.get(try .at("\(PortalLogin.site)/\(path)"))
    #expect(try PortalLogin.outcome().proof.judge(reply, to: request) == verdict)
  }

  @Test(arguments: [
    (900, 839, false), (900, 840, true), (900, 5000, true), (100, 89, false), (100, 90, true),
    (7200, 7139, false), (7200, 7140, true), (0, 0, true), (0, -3600, true),
  ])
  func `a session is renewed a tenth of its time early, at most a minute`(
    _ expiration: Int, _ age: Int, _ expected: Bool
  ) throws {
    let proof = try PortalLogin.outcome(expiration: .seconds(expiration)).proof
    #expect(proof.needsRenewal(atAge: .seconds(age)) == expected)
  }

  @Test
  func `without expiry handling no password is kept and nothing is renewed`() throws {
    let outcome = try PortalLogin.outcome(expiration: .zero, handlesExpiration: false)
    #expect(outcome.proof.record["password"] == nil)
    #expect(outcome.proof.renewal(jar: outcome.jar) == nil)
    #expect(!outcome.proof.needsRenewal(atAge: .seconds(9000)))
  }

  @Test
  func `a renewal is a whole login with a jar of its own`() throws {
    let outcome = try PortalLogin.outcome()
    var dialogue = Dialogue(try #require(outcome.proof.renewal(jar: outcome.jar)))
    try dialogue.play([
      PortalLogin.accepted(session: "ada2"), PortalLogin.page(token: "newtoken"), PortalLogin.user,
    ])
    #expect(dialogue.requests.first?.field("Cookie") == "COOKIE_SUPPORT=true")
    #expect(dialogue.requests.last?.field("X-CSRF-Token") == "newtoken")
    #expect(dialogue.outcome?.proof.record["session"] == .text("ada2"))
    #expect(dialogue.outcome?.proof.record["password"] == .text("rabbit"))
  }

  @Test(arguments: [
    ("alive", [PortalLogin.user], "finish"),
    ("a guest", [PortalLogin.guest], "session.refused"),
    ("401", [HTTPReply.answer(401)], "session.refused"),
    ("a fresh token", [PortalLogin.noToken, PortalLogin.themed, PortalLogin.user], "finish"),
    (
      "a fresh token of a guest", [PortalLogin.noToken, PortalLogin.themed, PortalLogin.guest],
      "session.refused"
    ),
    ("an outage", [HTTPReply.answer(503)], "server.unavailable"),
    ("an outage at the page", [PortalLogin.noToken, .answer(503)], "server.unavailable"),
    ("a login page", [HTTPReply.page()], "content.unexpected"),
    (
      "token refused twice", [PortalLogin.noToken, PortalLogin.themed, PortalLogin.noToken],
      "server.refused"
    ),
  ])
  func `the current user proves the session`(
    _ name: String, _ replies: [HTTPReply], _ ending: String
  ) throws {
    let outcome = try PortalLogin.outcome()
    var dialogue = Dialogue(outcome.proof.verification(jar: outcome.jar))
    #expect(dialogue.ending(replies) == ending)
    #expect(dialogue.requests.allSatisfy { !$0.text.contains("rabbit") })
  }

  @Test
  func `a proof of another session's jar reads its token first`() throws {
    let outcome = try PortalLogin.outcome()
    var jar = CookieJar()
    _ = jar.receive(
      .page(cookies: ["JSESSIONID=ada9; Path=/"]), from: try .at("\(PortalLogin.site)/"),
      at: Dialogue.moment.wall, suffixes: nil)
    var dialogue = Dialogue(outcome.proof.verification(jar: jar))
    try dialogue.play([PortalLogin.page(token: "newtoken"), PortalLogin.user])
    #expect(dialogue.requests.map(\.method) == ["GET", "POST"])
    #expect(dialogue.requests.last?.field("X-CSRF-Token") == "newtoken")
    #expect(dialogue.outcome?.proof.record["session"] == .text("ada9"))
  }

  @Test
  func `logging out asks the portal with the session's cookies`() throws {
    let outcome = try PortalLogin.outcome()
    let request = try #require(outcome.proof.logOut(jar: outcome.jar, at: Dialogue.moment).first)
    #expect("\(request.method) \(request.url)" == "GET \(PortalLogin.site)/c/portal/logout")
    #expect(request.field("Cookie") == "COOKIE_SUPPORT=true; JSESSIONID=ada1")
    #expect(outcome.proof.logOut(jar: CookieJar(), at: Dialogue.moment).isEmpty)
  }
}
