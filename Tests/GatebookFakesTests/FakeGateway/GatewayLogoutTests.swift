import GatebookFakes
import Testing

@Suite struct GatewayLogoutTests {
  private let ada = FakeGatewayUser.ada

  @Test func `chosen ids are given out in order and seen decoded again`() throws {
    let gateway = try startedGateway()
    let ids = FakeGateway.sampleSessionIDs
    #expect(ids.map(\.utf8.count).contains(4096))
    gateway.chooseSessionIDs(ids)
    let caller = GatewayCaller(gateway)
    for id in ids {
      #expect(caller.logIn(ada)?.text.contains("\"sessionid\":\"\(id)\"") == true)
    }
    for id in ids { #expect(caller.logOut(GatewayCaller.encoded(id))?.status == 200) }
    #expect(gateway.requests(to: .logout).map(\.sessionID) == ids)
    #expect(gateway.requests(to: .logout).map(\.username) == ids.map { _ in "ada" })
    #expect(gateway.sessions.isEmpty)
    caller.logIn(ada)
    #expect(gateway.sessions.first.map { ids.contains($0.id) } == false)
  }

  @Test(arguments: [
    ("a%2Fb%2Bc%3Dd%20e", 200, "a/b+c=d e" as String?), ("a%2fb+c=d%20e", 200, "a/b+c=d e"),
    ("a/b+c=d%20e", 404, nil), ("a%2Fb%2Bc%3Dd+e", 404, "a/b+c=d+e"),
    ("a%252Fb%252Bc%253Dd%2520e", 404, "a%2Fb%2Bc%3Dd%20e"), ("", 404, nil),
    ("a%2Fb%2Bc%3Dd%20e/", 404, nil),
  ])
  func `an id is one segment, decoded once, and a plus is a plus`(
    _ segment: String, _ status: Int, _ seen: String?
  ) throws {
    let gateway = try startedGateway()
    gateway.chooseSessionIDs(["a/b+c=d e"])
    let caller = GatewayCaller(gateway)
    caller.logIn(ada)
    #expect(caller.logOut(segment)?.status == status)
    #expect(gateway.requests(to: .logout).map(\.sessionID) == [seen])
    #expect(gateway.sessions.isEmpty == (status == 200))
  }

  @Test func `an id of the same characters in other bytes is another`() throws {
    let gateway = try startedGateway()
    gateway.chooseSessionIDs(["caf\u{e9}"])
    let caller = GatewayCaller(gateway)
    caller.logIn(ada)
    #expect(caller.logOut("cafe%CC%81")?.status == 404)
    #expect(caller.logOut("caf%C3%A9")?.status == 200)
  }

  @Test func `an ended session is unknown`() throws {
    let gateway = try startedGateway()
    gateway.chooseSessionIDs(["abc", "def"])
    let caller = GatewayCaller(gateway)
    caller.logIn(ada)
    #expect(caller.logOut("abc").map(\.status) == 200)
    #expect(caller.logOut("abc").map(\.status) == 404)
    #expect(caller.logOut("abc", method: "POST")?.status == 405)
    caller.logIn(ada)
    gateway.endSessions(of: "ben")
    #expect(gateway.sessions.count == 1)
    gateway.endSessions(of: "ada")
    #expect(caller.logOut("def").map(\.status) == 404)
  }

  @Test(arguments: [(204, true), (202, true), (401, false), (404, false), (500, false)])
  func `a status by fault ends the session only when the gateway acts`(
    _ status: Int, _ isEnded: Bool
  ) throws {
    let gateway = try startedGateway()
    let reply = LoopbackReply(status: status)
    gateway.inject(isEnded ? .alter { _ in reply } : .answer { _ in reply }, on: .logout)
    gateway.chooseSessionIDs(["abc"])
    let caller = GatewayCaller(gateway)
    caller.logIn(ada)
    #expect(caller.logOut("abc")?.status == status)
    #expect(gateway.sessions.isEmpty == isEnded)
    #expect(gateway.requests.last?.username == (isEnded ? "ada" : nil))
  }

  @Test func `a dropped logout has ended the session or not`() throws {
    let gateway = try startedGateway()
    gateway.chooseSessionIDs(["abc"])
    gateway.inject(.dropBeforeActing, on: .logout)
    gateway.inject(.dropAfterActing, on: .logout)
    let caller = GatewayCaller(gateway)
    caller.logIn(ada)
    #expect(caller.logOut("abc") == nil)
    #expect(gateway.sessions.count == 1)
    #expect(caller.logOut("abc") == nil)
    #expect(gateway.sessions.isEmpty)
    #expect(caller.logOut("abc")?.status == 404)
    #expect(gateway.requests(to: .logout).map(\.sessionID) == ["abc", "abc", "abc"])
  }

  @Test func `a session cookie can be required`() throws {
    let gateway = try startedGateway { $0.demandsCookie = true }
    gateway.chooseSessionIDs(["of ada", "of ben"])
    let (first, second) = (GatewayCaller(gateway), GatewayCaller(gateway))
    first.logIn(ada)
    second.logIn(.ben)
    #expect(first.logOut("of%20ada", cookie: .some(nil))?.status == 401)
    #expect(first.logOut("of%20ada", cookie: second.cookie)?.status == 401)
    #expect(first.logOut("of%20ada", cookie: "s-1")?.status == 401)
    #expect(gateway.sessions.count == 2)
    #expect(first.logOut("of%20ada")?.status == 200)
    #expect(second.logOut("of%20ben")?.status == 200)
    let requests = gateway.requests(to: .logout)
    #expect(requests.map(\.cookieOwner) == [nil, "ben", nil, "ada", "ben"])
    #expect(requests[1].request.cookie("JSESSIONID") == second.cookie)
  }

  @Test func `a gateway that was down has forgotten its sessions`() throws {
    let gateway = try startedGateway()
    gateway.chooseSessionIDs(["abc"])
    let caller = GatewayCaller(gateway)
    caller.logIn(ada)
    gateway.stop()
    #expect(caller.logOut("abc") == nil)
    try gateway.start()
    #expect(caller.logOut("abc")?.status == 404)
    #expect(gateway.requests.count == 2)
    gateway.forgetRequests()
    #expect(gateway.requests.isEmpty)
  }

  @Test func `faults can be taken back and keep to their route`() throws {
    let gateway = try startedGateway()
    gateway.inject(.answer { _ in .text("", status: 502) }, on: .logout, times: nil)
    let caller = GatewayCaller(gateway)
    #expect(caller.logIn(ada)?.status == 200)
    #expect(caller.logOut("abc")?.status == 502)
    gateway.clearFaults()
    #expect(caller.logOut("abc")?.status == 404)
  }
}
