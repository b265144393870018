import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct GatewayStoryTests {
  @Test(arguments: [true, false])
  func `example a: a login projects sessionRef, voiceUser and voiceDomain`(
    _ tellsID: Bool
  ) async throws {
    let world = try await GatewayWorld()
    world.gateway.switches.tellsID = tellsID
    let ada = try await world.book.logIn(world.login())
    #expect(ada.state == .active)
    #expect(ada.method == "fcsdk")
    #expect(ada.loginName == .known("ada"))
    #expect(ada.user["voiceUser"] == "1001")
    #expect(ada.user["voiceDomain"] == "voice.example.test")
    #expect((ada.user["id"] != nil) == tellsID)
    #expect(ada.user["sessionid"] == nil)
    let reference = try #require(ada.user["sessionRef"])
    #expect(reference.utf8.count == 32)
    #expect(try await world.last(.loginSucceeded)?["evidence"] == "identity")
    let session = try await world.book.gatewaySession(of: ada.account)
    #expect(session.id == Secret(try #require(world.gateway.sessions.first?.id)))
    let body = world.gateway.requests(to: .login).map(\.request.text)
    #expect(body == [#"{"username":"ada","password":"p\"a\\ss: 100%ä🔑"}"#])
  }

  @Test(arguments: FakeGatewaySwitches.RefusalBody.allCases)
  func `example b: a 401 with any body is refused credentials, and nothing is stored`(
    _ body: FakeGatewaySwitches.RefusalBody
  ) async throws {
    let world = try await GatewayWorld()
    world.gateway.switches.refusalBody = body
    let error = try await world.refusal(password: "wrong")
    #expect(error.code == .credentialsRefused)
    #expect(error.status == 401)
    #expect(try await world.book.accounts().isEmpty)
    #expect(try world.world.kinds() == ["book.created", "login.started", "login.failed"])
    #expect(world.gateway.connectionCount == 1)
  }

  @Test func `example c: the session id is one encoded segment of the logout's path`() async throws
  {
    let world = try await GatewayWorld()
    world.gateway.chooseSessionIDs(["a/b+c=d e"])
    let ada = try await world.book.logIn(world.login())
    _ = try await world.book.logOut(ada.account)
    let logout = try #require(world.gateway.requests(to: .logout).first)
    #expect(logout.request.target == "/csdk-sample/SDK/login/id/a%2Fb%2Bc%3Dd%20e")
    #expect(logout.sessionID == "a/b+c=d e")
    #expect(world.gateway.sessions.isEmpty)
  }

  @Test(arguments: FakeGateway.sampleSessionIDs)
  func `any session id survives a restart and is ended by its own text`(
    _ id: String
  ) async throws {
    let world = try await GatewayWorld()
    world.gateway.chooseSessionIDs([id])
    let ada = try await world.book.logIn(world.login())
    await world.book.close()
    world.world.clock.advance(by: .seconds(3600))

    let second = try await world.world.open(world.transport)
    let restored = try await second.restore(ada.account)
    #expect(restored.state == .offline(lastVerified: ada.since))
    #expect(restored.user == ada.user)
    #expect(try await second.gatewaySession(of: ada.account).id == Secret(id))
    #expect(world.gateway.requests.count == 1)
    let out = try await second.logOut(ada.account)
    #expect(out.state == .ended(.user))
    #expect(world.logouts() == [id])
    #expect(world.gateway.requests(to: .logout).first?.cookieOwner == "ada")
    #expect(
      world.gateway.requests(to: .logout).first?.request.fields["Content-Type"]
        == "application/json")
    #expect(world.gateway.sessions.isEmpty)
    #expect(try await world.last(.logoutCompleted)?["status"] == 200)
    for name in ["", "-wal", "-shm", "-lock"] {
      let bytes = TestFile.read(world.world.path + name)
      for canary in world.gateway.secretsIssued + ["voice.example.test"] where canary != "abc" {
        #expect(!bytes.holds(canary), "a secret in the book\(name)")
      }
    }
  }

  @Test func `the gateway alone proves a restored session; requests go out all the same`()
    async throws
  {
    let world = try await GatewayWorld()
    let ada = try await world.book.logIn(world.login())
    _ = try await world.book.restore(ada.account)
    let reply = try await world.book.send(.get(world.url("/csdk-sample/page")), as: ada.account)
    #expect(reply.status == 404)
    #expect(world.gateway.requests.last?.cookieOwner == "ada")
    #expect(try await world.book.context(of: ada.account).state.name == "offline")
    let session = try await world.book.gatewaySession(of: ada.account)
    #expect(try await world.book.gatewayConnected(session).state == .active)
    #expect(try world.world.kinds().last == "session.verified")
    let count = try world.world.kinds().count
    _ = try await world.book.gatewayConnected(session)
    #expect(try world.world.kinds().count == count)
  }

  @Test func `two accounts on one gateway never share cookies`() async throws {
    let world = try await GatewayWorld()
    world.gateway.switches.demandsCookie = true
    let ada = try await world.book.logIn(world.login(.ada))
    let ben = try await world.book.logIn(world.login(.ben))
    #expect(ada.account != ben.account)
    #expect(world.gateway.requests.allSatisfy { $0.request.cookie("JSESSIONID") == nil })
    world.gateway.forgetRequests()
    let page = HTTPRequest.get(try world.url("/csdk-sample/page"))
    for account in [ada.account, ben.account, ada.account] {
      _ = try await world.book.send(page, as: account)
    }
    _ = try await world.book.logOut(ben.account)
    _ = try await world.book.send(page, as: ada.account)
    _ = try await world.book.logOut(ada.account)
    #expect(
      world.gateway.requests.map(\.cookieOwner) == ["ada", "ben", "ada", "ben", "ada", "ada"])
    #expect(world.gateway.requests.filter { $0.sessionID != nil }.map(\.status) == [200, 200])
    let url = try world.url("/csdk-sample/socket")
    await #expect(throws: GatebookError.self) {
      try await world.book.gatewaySession(of: ada.account)
    }
    let again = try await world.book.logIn(world.login(.ada))
    #expect(again.account == ada.account)
    let cookies = try await world.book.gatewaySession(of: ada.account)
      .cookies(for: url, at: world.world.clock.now().wall)
    let issued = try #require(world.gateway.sessions.first?.cookie)
    #expect(cookies == Secret("JSESSIONID=\(issued)"))
  }

  @Test func `without cookies none are sent and none are kept`() async throws {
    let world = try await GatewayWorld()
    let ada = try await world.book.logIn(world.login(useCookies: false))
    _ = try await world.book.send(.get(world.url("/csdk-sample/page")), as: ada.account)
    let session = try await world.book.gatewaySession(of: ada.account)
    #expect(
      session.cookies(for: try world.url("/csdk-sample/x"), at: world.world.clock.now().wall) == nil
    )
    _ = try await world.book.logOut(ada.account)
    #expect(world.gateway.requests.count == 3)
    #expect(world.gateway.requests.allSatisfy { $0.request.cookies.isEmpty })
    #expect(try !world.world.kinds().contains("cookies.changed"))
  }

  @Test func `the extra field goes with the login, the requests and the logout`() async throws {
    let world = try await GatewayWorld()
    let ada = try await world.book.logIn(world.login(field: HTTPField("X-Deployment", "blue")))
    _ = try await world.book.send(.get(world.url("/csdk-sample/page")), as: ada.account)
    _ = try await world.book.logOut(ada.account)
    #expect(
      world.gateway.requests.map { $0.request.fields["X-Deployment"] } == ["blue", "blue", "blue"])
  }

  @Test func `with the network known to be away no connection is opened`() async throws {
    let world = try await GatewayWorld()
    let transport = ReachabilityTransport(world.transport)
    let book = try await world.world.open(transport)
    await transport.setNetworkReachable(false)
    let method = try world.login()
    let error = await #expect(throws: GatebookError.self) { try await book.logIn(method) }
    #expect(error?.code == .networkUnreachable)
    #expect(world.gateway.connectionCount == 0)
    await transport.setNetworkReachable(true)
    #expect(try await book.logIn(method).state == .active)
  }
}
