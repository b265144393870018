import GatebookFakes
import Testing

/// What a test does to a portal while that runs.
@Suite struct PortalControlTests {
  private let portal: FakeLiferayPortal
  private let visitor: Visitor
  private let ada = FakePortalUser.ada

  init() throws {
    portal = try startedPortal()
    visitor = Visitor(portal)
  }

  private func call() -> Answer? {
    visitor.call(Call.currentUser, as: "ada", ada.password)
  }

  @Test func `users are made and changed`() {
    portal.users.append(FakePortalUser(7, "dora", password: "d& ra"))
    #expect(visitor.call(Call.byID(7), as: "dora", "d& ra")?.status == 200)
    portal.change(ada.userID) { $0.isLockedOut = true }
    #expect(call()?.status == 403)
    portal.change(ada.userID) { $0.isLockedOut = false }
    #expect(call()?.status == 200)
  }

  @Test(arguments: [FakePortalUser.ada.userID, nil])
  func `tokens are taken back`(_ userID: Int64?) {
    portal.applications.append(
      FakePortalApplication("new", grants: [.password, .refreshToken], scopes: ["x"]))
    let form = "grant_type=password&username=ada&password=\(Visitor.encoded(ada.password))"
    let answer = visitor.ask(
      "POST", "/o/oauth2/token", [("Content-Type", "application/x-www-form-urlencoded")],
      body: form + "&client_id=new")
    #expect(answer?.status == 200)
    portal.revokeTokens(of: 5)
    #expect(portal.tokens.count == 1)
    portal.revokeTokens(of: userID)
    #expect(portal.tokens.isEmpty)
  }

  @Test(
    arguments: [
      (.dropBeforeActing, nil), (.dropAfterActing, nil), (.truncate(after: 2), nil),
      (.delay(.seconds(5)), 200), (.status(503, retryAfter: 1), 503), (.page(), 200),
      (.page(500), 500), (.redirect(to: "/c"), 302), (.redirect(to: "/c", status: 307), 307),
      (.redirectLoop, 302), (.huge(100), 200), (.cookieBomb(), 200),
    ] as [(LoopbackFault, Int?)])
  func `faults are put on routes`(_ fault: LoopbackFault, _ status: Int?) {
    portal.inject(fault, on: .invoke, times: 2)
    #expect([call()?.status, call()?.status, call()?.status] == [status, status, 200])
  }

  @Test func `stalls end when the portal stops and faults can be taken back`() async throws {
    portal.inject(.stallAfterActing, times: nil)
    portal.clearFaults()
    #expect(call()?.status == 200)
    portal.inject(.stallBeforeActing, times: nil)
    let client = try #require(RawClient(portal.port))
    client.send("GET / HTTP/1.1\r\n\r\n")
    _ = await portal.requests(atLeast: 2)
    portal.stop()
    #expect(client.readToEnd().isEmpty)
  }

  @Test func `sessions are ended and aged`() {
    let steps: [() -> Void] = [
      { portal.endSessions(of: ada.userID) }, { portal.endSessions() },
      { portal.advance(by: .seconds(1800)) },
    ]
    for step in steps {
      visitor.logIn(ada)
      #expect(visitor.ask("GET", "/documents/1")?.status == 200)
      step()
      #expect(visitor.ask("GET", "/documents/1")?.status == 403)
    }
    visitor.logIn(ada)
    portal.endSessions(of: 123_457)
    #expect(visitor.ask("GET", "/documents/1")?.status == 200)
  }

  @Test func `wrong IDs are returned as often as set`() {
    portal.inject(.misreport(9), on: .invoke, times: 2)
    let isWrong = (1...3).map { _ in call()?.text.contains(#""userId":"9""#) }
    #expect(isWrong == [true, true, false])
  }
}
