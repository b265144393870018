import GatebookFakes
import Testing

@Suite struct PortalFaultTests {
  private let ada = FakePortalUser.ada

  private func call(_ portal: FakeLiferayPortal) -> Answer? {
    Visitor(portal).call(Call.currentUser, as: "ada", ada.password)
  }

  @Test func `everything says that it is a fake`() throws {
    let portal = try startedPortal { $0.clockSkew = .seconds(3600) }
    portal.inject(.status(503), on: .hop)
    for (method, target) in [
      ("GET", "/"), ("GET", "/c"), ("GET", "/nowhere"),
      ("GET", "/documents/1"), ("POST", "/c/portal/login"), ("bad method", "/"),
    ] {
      let answer = try #require(RawClient.ask(portal.port, method, target))
      #expect(answer["Server"] == "Gatebook fake Liferay portal")
      #expect(answer["Date"] == "Fri, 02 Jan 2026 04:04:05 GMT")
      #expect(answer["Content-Type"] != "text/html;charset=UTF-8" || answer.text.contains("fake"))
    }
  }

  @Test(arguments: [500, 503, 429])
  func `a status with a time to try again`(_ status: Int) throws {
    let portal = try startedPortal()
    portal.inject(.status(status, retryAfter: 7), on: .invoke)
    let answer = call(portal)
    #expect(answer?.status == status)
    #expect(answer?["Retry-After"] == "7")
    #expect(portal.requests.map(\.status) == [nil])
    #expect(call(portal)?.status == 200)
  }

  @Test func `a page where JSON is due, and a redirect elsewhere`() throws {
    let portal = try startedPortal()
    portal.inject(.page(), on: .invoke)
    portal.inject(.redirect(to: "http://elsewhere.example/", status: 308), on: .invoke)
    #expect(call(portal)?["Content-Type"] == "text/html;charset=UTF-8")
    let moved = call(portal)
    #expect(moved?.status == 308)
    #expect(moved?["Location"] == "http://elsewhere.example/")
  }

  @Test func `drops before and after acting differ in what the portal knows`() throws {
    let portal = try startedPortal()
    portal.inject(.dropBeforeActing, on: .login)
    portal.inject(.dropAfterActing, on: .login)
    let visitor = Visitor(portal, cookies: ["COOKIE_SUPPORT": "true"])
    #expect(visitor.submit("ada", ada.password) == nil)
    #expect(portal.sessions.isEmpty)
    #expect(visitor.submit("ada", ada.password) == nil)
    #expect(portal.sessions.map(\.userID) == [ada.userID])
    #expect(portal.requests.map(\.userID) == [nil, ada.userID])
  }

  @Test func `truncated and delayed answers`() throws {
    let waited = Tally()
    let portal = try FakeLiferayPortal(wait: { waited.add(Int($0.components.seconds)) })
    try portal.start()
    portal.inject(.truncate(after: 10), on: .invoke)
    portal.inject(.delay(.seconds(90)), on: .invoke)
    #expect(call(portal) == nil)
    #expect(call(portal)?.status == 200)
    #expect(waited.sum == 90)
  }

  @Test func `a redirect loop never ends`() throws {
    let portal = try startedPortal()
    portal.inject(.redirectLoop, on: .page, times: nil)
    let visitor = Visitor(portal, cookies: ["COOKIE_SUPPORT": "true"])
    let last = visitor.follow(visitor.submit("ada", ada.password))
    #expect(last?["Location"] == "/web/guest")
    portal.clearFaults()
    #expect(visitor.ask("GET", "/web/guest")?.status == 200)
  }

  @Test func `a cookie bomb comes on top of the right answer`() throws {
    let portal = try startedPortal()
    portal.inject(.cookieBomb(), on: .page)
    let visitor = Visitor(portal)
    let page = try #require(visitor.logIn(ada))
    #expect(page.values("Set-Cookie").count == 200)
    #expect(page.cookie("BOMB_200")?.count == 4096)
    #expect(page.text.contains("authToken"))
    #expect(visitor.call(Call.currentUser)?.status == 200)
  }

  @Test func `a huge answer calls itself JSON`() throws {
    let portal = try startedPortal()
    portal.inject(.huge(5 << 20), on: .invoke)
    let answer = call(portal)
    #expect(answer?["Content-Type"] == "application/json;charset=UTF-8")
    #expect(answer?.body.count == 5 << 20)
  }

  @Test func `faults stay away from other routes`() throws {
    let portal = try startedPortal()
    portal.inject(.status(500), on: .documents, times: nil)
    #expect(RawClient.ask(portal.port, "GET", "/")?.status == 200)
    #expect(RawClient.ask(portal.port, "GET", "/documents/1")?.status == 500)
    portal.inject(.status(503), times: nil)
    #expect(RawClient.ask(portal.port, "GET", "/")?.status == 503)
  }

  @Test func `a server in front wants its own Basic first`() throws {
    let portal = try startedPortal { $0.front = FakePortalFront(name: "door", password: "key") }
    let visitor = Visitor(portal, cookies: ["COOKIE_SUPPORT": "true"])
    let refused = visitor.submit("ada", ada.password)
    #expect(refused?.status == 401)
    #expect(refused?["WWW-Authenticate"] == #"Basic realm="Gatebook fake front""#)
    #expect(portal.sessions.isEmpty)
    let key = [("Authorization", "Basic \(Visitor.base64("door:key"))")]
    let form = key + [("Content-Type", "application/x-www-form-urlencoded")]
    let body = "login=ada&password=\(Visitor.encoded(ada.password))"
    #expect(visitor.ask("POST", "/c/portal/login", form, body: body)?["Location"] == "/c")
    #expect(visitor.ask("GET", "/documents/1", key)?.status == 200)
  }

  @Test func `a test that waits for requests continues when they have come`() async throws {
    let portal = try startedPortal()
    portal.inject(.stallBeforeActing, on: .root)
    let client = try #require(RawClient(portal.port))
    client.send("GET / HTTP/1.1\r\n\r\n")
    #expect(await portal.requests(atLeast: 1).map(\.status) == [nil])
    portal.stop()
    #expect(client.readToEnd().isEmpty)
    portal.forgetRequests()
    #expect(portal.requests.isEmpty)
  }
}
