import Gatebook
import GatebookFakes
import Testing

/// What the original did wrong (FCSDK, section 7) and Gatebook must not.
@Suite struct GatewayDefectTests {
  @Test func `defect 1: no request deletes cookies, neither its own account's nor another's`()
    async throws
  {
    let world = try await GatewayWorld()
    world.gateway.switches.demandsCookie = true
    let ada = try await world.book.logIn(world.login(.ada))
    let page = HTTPRequest.get(try world.url("/csdk-sample/page"))
    _ = try await world.book.logIn(world.login(.ben))
    _ = try await world.refusal(.ben, password: "wrong")
    for _ in 1...2 { _ = try await world.book.send(page, as: ada.account) }
    #expect(world.gateway.requests.suffix(2).map(\.cookieOwner) == ["ada", "ada"])
    _ = try await world.book.logOut(ada.account)
    #expect(world.gateway.requests.last?.status == 200)
  }

  @Test func `defect 2: an untrusted certificate is refused before anything is sent`()
    async throws
  {
    let certificates = try FakeGatewayCertificates()
    let world = try await GatewayWorld(tls: LoopbackTLS(certificates.selfSigned))
    let method = LoginMethod.fcsdk(
      try world.settings(secure: true), user: "ada", password: Secret(FakeGatewayUser.ada.password))
    let error = await #expect(throws: GatebookError.self) { try await world.book.logIn(method) }
    #expect(error?.code == .tlsUntrusted)
    #expect(world.gateway.requests.isEmpty)
    #expect(try await world.book.accounts().isEmpty)
  }

  @Test func `defect 3: trust does not follow from https, nor https from trust`() async throws {
    let settings = try FCSDKGateway(server: "gateway.example", secure: true)
    #expect(LoginOptions().trust == .system)
    #expect(settings.loginURL.origin.isSecure)
    let world = try await GatewayWorld()
    // Over http the trust setting means nothing: the file is not even looked for.
    var options = LoginOptions()
    options.trust = .authorities(file: "/nonexistent/own.pem")
    let ada = try await world.book.logIn(world.login(), options: options)
    #expect(ada.server == world.gateway.url)
    #expect(try await world.book.savedSettings(of: ada.account)?.gateway?.secure == false)
    // And plain http to another machine stays refused, whatever is trusted.
    let remote = LoginMethod.fcsdk(
      try FCSDKGateway(server: "gateway.example", secure: false), user: "ada",
      password: Secret("x"))
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.logIn(remote, options: options)
    }
    #expect(error?.code == .loginCleartext)
  }

  @Test func `defect 4: the status is looked at before the body`() async throws {
    let world = try await GatewayWorld()
    for (status, code) in [
      (401, FailureCode.credentialsRefused), (400, .serverRefused), (404, .configurationInvalid),
      (429, .serverUnavailable), (500, .serverUnavailable), (503, .serverUnavailable),
      (302, .serverMoved),
    ] {
      world.fail(with: .status(status))
      let error = try await world.refusal()
      #expect(error.code == code, "\(status)")
      #expect(error.status == status)
    }
    for fault in [nil, .page()] as [LoopbackFault?] {
      world.fail(with: fault)
      world.gateway.switches.tellsSessionID = fault != nil
      #expect(try await world.refusal().code == .contentUnexpected)
    }
    #expect(try await world.book.accounts().isEmpty)
  }

  @Test func `defect 5: a password is saved after success, on demand, for its own account`()
    async throws
  {
    let world = try await GatewayWorld()
    var options = LoginOptions()
    options.saveCredentials = true
    let wrong = try world.login(password: "wrong-word-7731")
    await #expect(throws: GatebookError.self) {
      try await world.book.logIn(wrong, options: options)
    }
    #expect(try !world.world.kinds().contains("credentials.saved"))
    let ada = try await world.book.logIn(world.login(.ada))
    #expect(try world.secret(of: ada.account, "credentials") == nil)
    #expect(try world.secret(of: ada.account, "session")?.contains("100%") == false)
    let ben = try await world.book.logIn(world.login(.ben), options: options)
    #expect(try world.secret(of: ben.account, "credentials")?.contains("ben's own") == true)
    #expect(try world.secret(of: ben.account, "session")?.contains("ben's own") == false)
    #expect(try world.secret(of: ada.account, "credentials") == nil)
    for name in ["", "-wal", "-shm", "-lock"] {
      let bytes = TestFile.read(world.world.path + name)
      #expect(!bytes.holds(FakeGatewayUser.ben.password))
      #expect(!bytes.holds("wrong-word-7731"))
    }
  }

  @Test func `defect 6: a new login replaces the stored session id`() async throws {
    let world = try await GatewayWorld()
    world.gateway.chooseSessionIDs(["first", "second"])
    let first = try await world.book.logIn(world.login())
    let second = try await world.book.logIn(world.login())
    #expect(second.account == first.account)
    #expect(try await world.book.gatewaySession(of: first.account).id == Secret("second"))
    #expect(second.user["sessionRef"] != first.user["sessionRef"])
    _ = try await world.book.logOut(first.account)
    #expect(world.logouts() == ["second"])
    // Nobody claims that the older session has ended.
    #expect(world.gateway.sessions.map(\.id) == ["first"])
  }

  @Test func `defect 7: a session id is never put into a path as it is`() async throws {
    let world = try await GatewayWorld()
    world.gateway.chooseSessionIDs(["../../admin?x=1#y"])
    let ada = try await world.book.logIn(world.login())
    _ = try await world.book.logOut(ada.account)
    #expect(world.logouts() == ["../../admin?x=1#y"])
    #expect(world.gateway.requests.count == 2)
  }

  @Test func `defect 8: a logout that fails at the server is a logout`() async throws {
    let world = try await GatewayWorld()
    let ada = try await world.book.logIn(world.login())
    world.gateway.inject(.status(500), on: .logout, times: nil)
    #expect(try await world.book.logOut(ada.account).state == .ended(.user))
    await #expect(throws: GatebookError.self) { try await world.book.restore(ada.account) }
    #expect(try await world.last(.logoutCompleted)?["server"] == "queued")
  }

  @Test func `defect 9: every failure has a code, and says what was kept and what to do`()
    async throws
  {
    let world = try await GatewayWorld()
    var seen: [FailureCode] = []
    for fault in [nil, .status(400), .status(503), .page()] as [LoopbackFault?] {
      world.fail(with: fault)
      let error = try await world.refusal(password: fault == nil ? "wrong" : nil)
      #expect(!error.kept.isEmpty)
      #expect(!error.remedy.isEmpty)
      seen.append(error.code)
      #expect(try await world.last(.loginFailed)?["code"]?.text == error.code.rawValue)
    }
    world.gateway.stop()
    seen.append(try await world.refusal().code)
    #expect(Set(seen).count == 5)
  }

  // Defect 10, a start after the last retry, is a test of `GatewayConnectionTests`.

  @Test func `a failed login keeps the session that was there`() async throws {
    let world = try await GatewayWorld()
    let ada = try await world.book.logIn(world.login())
    for fault in [LoopbackFault.status(503), .status(401), .page()] {
      world.fail(with: fault)
      _ = try await world.refusal()
    }
    #expect(try await world.book.context(of: ada.account) == ada)
  }

  @Test func `fingerprints of one id differ from account to account, and stay with one`()
    async throws
  {
    let world = try await GatewayWorld()
    world.gateway.chooseSessionIDs(["same-id", "same-id", "same-id"])
    let ada = try await world.book.logIn(world.login(.ada))
    let ben = try await world.book.logIn(world.login(.ben))
    let again = try await world.book.logIn(world.login(.ada))
    #expect(ada.user["sessionRef"] != ben.user["sessionRef"])
    #expect(ada.user["sessionRef"] == again.user["sessionRef"])
  }
}
