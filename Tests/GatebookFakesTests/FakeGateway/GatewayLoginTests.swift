import Testing

@testable import GatebookFakes

@Suite struct GatewayLoginTests {
  private let ada = FakeGatewayUser.ada

  private func members(_ answer: Answer?) -> PlainJSON? {
    answer.flatMap { PlainJSON.read($0.body) }
  }

  @Test func `a right password gets a session, its attributes and a cookie`() throws {
    let gateway = try startedGateway()
    let answer = GatewayCaller(gateway).logIn(ada)
    #expect(answer?.status == 200)
    #expect(answer?["Content-Type"] == "application/json;charset=UTF-8")
    #expect(answer?["Server"] == "Gatebook fake session gateway")
    let session = try #require(gateway.sessions.first)
    #expect(members(answer)?["sessionid"]?.string == session.id)
    #expect(members(answer)?["voiceUser"]?.string == "1001")
    #expect(members(answer)?["voiceDomain"]?.string == "voice.example.test")
    let id = try #require(members(answer)?["id"]?.string)
    #expect(id.split(separator: "-").map(\.utf8.count) == [8, 4, 4, 4, 12])
    let cookie = session.cookie
    #expect(cookie.hasPrefix("s-1-"))
    #expect(answer?.values("Set-Cookie") == ["JSESSIONID=\(cookie); Path=/csdk-sample; HttpOnly"])
    #expect(session.username == "ada")
    #expect(gateway.secretsIssued == [session.id, cookie])
    #expect(gateway.requests.map(\.username) == ["ada"])
    #expect(gateway.requests.map(\.status) == [200])
  }

  @Test func `the id may be missing`() throws {
    let gateway = try startedGateway { $0.tellsID = false }
    let answer = GatewayCaller(gateway).logIn(ada)
    #expect(members(answer)?["id"] == nil)
    #expect(members(answer)?["sessionid"]?.string == gateway.sessions.first?.id)
  }

  @Test(arguments: [
    (FakeGatewaySwitches.RefusalBody.html, "text/html;charset=UTF-8" as String?),
    (.json, "application/json;charset=UTF-8"), (.empty, nil),
  ])
  func `a wrong password or name is 401 with any body`(
    _ body: FakeGatewaySwitches.RefusalBody, _ type: String?
  ) throws {
    let gateway = try startedGateway { $0.refusalBody = body }
    for (name, password) in [("ada", "wrong"), ("nobody", ada.password), ("", "")] {
      let answer = GatewayCaller(gateway).logIn(name, password)
      #expect(answer?.status == 401)
      #expect(answer?["Content-Type"] == type)
      #expect(answer?.body.isEmpty == (body == .empty))
      #expect(answer?["Set-Cookie"] == nil)
    }
    #expect(gateway.sessions.isEmpty)
    #expect(gateway.requests.map(\.username) == [nil, nil, nil])
  }

  @Test func `a password of the same characters in other bytes is another`() throws {
    let gateway = try startedGateway()
    gateway.users = [FakeGatewayUser("eve", password: "caf\u{e9}")]
    let caller = GatewayCaller(gateway)
    #expect(caller.logIn("eve", "cafe\u{301}")?.status == 401)
    #expect(caller.logIn("eve", "caf\u{e9}")?.status == 200)
  }

  @Test(arguments: [
    (#"{"username":"ada"}"#, 400), (#"{"password":"x"}"#, 400), ("{}", 400), ("[]", 400),
    ("", 400), ("username=ada", 400), (#"{"username":1,"password":2}"#, 400),
  ])
  func `what lacks a key is 400`(_ body: String, _ status: Int) throws {
    let gateway = try startedGateway()
    let caller = GatewayCaller(gateway)
    #expect(caller.post(FakeGateway.sampleLoginPath, body)?.status == status)
  }

  @Test func `other types, methods and paths are refused`() throws {
    let gateway = try startedGateway()
    let path = FakeGateway.sampleLoginPath
    #expect(GatewayCaller(gateway).post(path, "{}", type: "text/plain")?.status == 415)
    let answer = RawClient.ask(gateway.port, "GET", path)
    #expect(answer?.status == 405)
    #expect(answer?["Allow"] == "POST")
    #expect(RawClient.ask(gateway.port, "GET", "/nowhere")?.status == 404)
    #expect(RawClient.ask(gateway.port, "POST", "\(path)/id")?.status == 404)
  }

  @Test(arguments: [500, 503, 429, 404])
  func `a status by fault comes whatever the password, and nothing is begun`(
    _ status: Int
  ) throws {
    let gateway = try startedGateway()
    gateway.inject(.status(status), on: .login)
    let caller = GatewayCaller(gateway)
    #expect(caller.logIn(ada)?.status == status)
    #expect(gateway.sessions.isEmpty)
    #expect(caller.logIn(ada)?.status == 200)
  }

  @Test func `200 may come without a session id, or with a page`() throws {
    let gateway = try startedGateway { $0.tellsSessionID = false }
    let caller = GatewayCaller(gateway)
    let silent = caller.logIn(ada)
    #expect(silent?.status == 200)
    #expect(members(silent)?["sessionid"] == nil)
    #expect(members(silent)?["voiceUser"]?.string == "1001")
    #expect(gateway.sessions.count == 1)
    gateway.inject(.page(), on: .login)
    let page = caller.logIn(ada)
    #expect(page?.status == 200)
    #expect(page?.text.hasPrefix("<!DOCTYPE html>") == true)
    #expect(caller.logIn("ada", "wrong")?.status == 401)
    #expect(gateway.sessions.count == 1)
  }

  @Test func `slow and dropped logins are faults`() throws {
    let waited = Tally()
    let gateway = try FakeGateway(wait: { waited.add(Int($0.components.seconds)) })
    try gateway.start()
    gateway.inject(.delay(.seconds(40)), on: .login)
    gateway.inject(.dropBeforeActing, on: .login)
    gateway.inject(.dropAfterActing, on: .login)
    let caller = GatewayCaller(gateway)
    #expect(caller.logIn(ada)?.status == 200)
    #expect(waited.sum == 40)
    #expect(caller.logIn(ada) == nil)
    #expect(gateway.sessions.count == 1)
    #expect(caller.logIn(ada) == nil)
    #expect(gateway.sessions.count == 2)
    #expect(gateway.requests.map(\.status) == [200, nil, 200])
  }

  @Test func `every login begins a session`() throws {
    let gateway = try startedGateway()
    let caller = GatewayCaller(gateway)
    for user in [ada, ada, .ben] { caller.logIn(user) }
    #expect(gateway.sessions.map(\.username) == ["ada", "ada", "ben"])
    #expect(Set(gateway.sessions.map(\.id)).count == 3)
  }

  @Test func `the same seed gives the same secrets and another one others`() throws {
    let secrets = try [UInt64(1), 1, 2].map { seed in
      let gateway = try FakeGateway(seed: seed)
      try gateway.start()
      GatewayCaller(gateway).logIn(.ben)
      return gateway.secretsIssued
    }
    #expect(secrets[0] == secrets[1])
    #expect(Set(secrets[0] + secrets[2]).count == 4)
  }
}
