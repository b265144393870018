import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct PortalSessionTests {
  private let ada = FakePortalUser.ada
  private let clock = FixedClock()

  private func isAlive(_ visitor: Visitor) -> Bool {
    visitor.call(Call.currentUser)?.status == 200
  }

  @Test func `a call of a session needs its token, as a field or as a parameter`() throws {
    let portal = try startedPortal()
    let visitor = Visitor(portal)
    visitor.logIn(ada)
    let token = try #require(visitor.token)
    let refused = try #require(visitor.call(Call.currentUser, token: "wrong"))
    #expect(refused.status == 403)
    #expect(refused.text.contains("User 123456 session does not have a CSRF token for"))
    #expect(refused.text.contains("PrincipalException$MustHaveSessionCSRFToken"))
    let query = "?p_auth=\(token)"
    #expect(visitor.call(Call.currentUser, token: "wrong", query: query)?.status == 200)
    #expect(isAlive(visitor))
  }

  @Test func `6 tells a missing token as a page`() throws {
    let portal = try startedPortal(.v62)
    let visitor = Visitor(portal)
    visitor.logIn(ada)
    let refused = visitor.call(Call.sites, token: "wrong")
    #expect(refused?.status == 403)
    #expect(refused?["Content-Type"] == "text/html;charset=UTF-8")
  }

  @Test func `pages may come without a token`() throws {
    let portal = try startedPortal { $0.omitsToken = true }
    let visitor = Visitor(portal)
    let page = visitor.logIn(ada)
    #expect(page?.status == 200)
    #expect(page?.text.contains("authToken") == false)
  }

  @Test func `a session dies without a request for long enough`() throws {
    let portal = try startedPortal(clock: clock)
    let visitor = Visitor(portal)
    visitor.logIn(ada)
    for _ in 1...3 {
      clock.advance(by: .seconds(1799))
      #expect(isAlive(visitor))
    }
    clock.jump(by: .seconds(86400))
    #expect(isAlive(visitor))
    clock.advance(by: .seconds(1800))
    #expect(!isAlive(visitor))
  }

  @Test func `ended sessions are dead for their user alone`() throws {
    let portal = try startedPortal()
    let visitors = [Visitor(portal), Visitor(portal)]
    visitors[0].logIn(ada)
    visitors[1].logIn(.ben)
    portal.endSessions(of: ada.userID)
    #expect(visitors.map(isAlive) == [false, true])
    portal.endSessions()
    #expect(visitors.map(isAlive) == [false, false])
  }

  @Test func `a portal that was down has forgotten its sessions`() throws {
    let portal = try startedPortal()
    let visitor = Visitor(portal)
    visitor.logIn(ada)
    portal.stop()
    #expect(RawClient(portal.port) == nil)
    try portal.start()
    #expect(!isAlive(visitor))
    visitor.logIn(ada)
    #expect(isAlive(visitor))
  }

  @Test func `logging out ends the session and takes the cookies back`() throws {
    let portal = try startedPortal()
    let visitor = Visitor(portal)
    visitor.logIn(ada)
    let answer = try #require(visitor.ask("GET", "/c/portal/logout"))
    #expect(answer.status == 302)
    #expect(answer["Location"] == "/")
    let expired = answer.values("Set-Cookie").filter {
      $0.contains("Max-Age=0; Expires=Thu, 01 Jan")
    }
    #expect(
      expired.map { $0.prefix { $0 != "=" } } == [
        "COMPANY_ID", "GUEST_LANGUAGE_ID", "ID", "PASSWORD", "REMEMBER_ME", "LOGIN",
      ])
    #expect(!isAlive(visitor))
    #expect(portal.requests(to: .logout).map(\.userID) == [ada.userID])
  }

  @Test func `documents open for logged-in sessions alone`() throws {
    let portal = try startedPortal()
    let visitor = Visitor(portal)
    #expect(visitor.ask("GET", "/documents/7")?.status == 403)
    _ = visitor.ask("GET", "/")
    #expect(visitor.ask("GET", "/documents/7")?.status == 403)
    let basic = [("Authorization", "Basic \(Visitor.base64("ada:\(ada.password)"))")]
    #expect(visitor.ask("GET", "/documents/7", basic)?.status == 403)
    visitor.logIn(ada)
    let answer = try #require(visitor.ask("GET", "/documents/7"))
    #expect(answer.status == 200)
    #expect(answer.text.hasPrefix("Document 7 of the Gatebook fake Liferay portal"))
    #expect(portal.requests(to: .documents).map(\.status) == [403, 403, 403, 200])
  }

  @Test func `the same seed gives the same secrets and another one others`() throws {
    func secrets(_ seed: UInt64) throws -> [String] {
      let portal = try FakeLiferayPortal(seed: seed)
      try portal.start()
      Visitor(portal).logIn(ada)
      return portal.secretsIssued
    }
    #expect(try secrets(1) == secrets(1))
    #expect(try Set(secrets(1)).isDisjoint(with: secrets(2)))
  }
}
