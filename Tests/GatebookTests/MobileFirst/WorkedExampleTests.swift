import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// The ten worked examples of the protocol's reference.
@Suite struct WorkedExampleTests {
  @Test func `1 a first token registers, is challenged, answered, and granted`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await handler.next() == "challenge UserLogin [] 3")
    #expect(world.routes() == ["register", "preauthorize"])
    #expect(await manager.isChallenged("UserLogin"))
    try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
    #expect(try await token.value.lifetime <= .seconds(60))
    handler.note("completion")
    #expect(handler.heard.suffix(2) == ["success UserLogin john", "completion"])
    #expect(Set(handler.flows) == [try await token.value.flow])
    #expect(
      world.routes()
        == ["register", "preauthorize", "preauthorize", "authorization", "token"])
    let user = try #require(await manager.users["UserLogin"])
    #expect(user.id == "john")
    #expect(user.authenticatedBy == "UserLogin")
    let account = try #require(await manager.account)
    let context = try await world.book.context(of: account)
    #expect(context.state == .active)
    #expect(context.user["displayName"] == "john")
    #expect(context.loginName == .known("john"))
    #expect(
      try world.world.kinds() == [
        "book.created", "login.started", "registration.created", "challenge.received",
        "challenge.answered", "account.added", "login.succeeded", "attributes.changed",
        "check.succeeded", "account.switched", "token.granted",
      ])
  }

  @Test func `2 three wrong answers block the check, and time lifts the block`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    for heard in ["[] 3", "[Wrong Credentials] 2", "[Wrong Credentials] 1"] {
      #expect(await handler.next() == "challenge UserLogin \(heard)")
      try await manager.submitChallengeAnswer(.user("x", "y"), to: "UserLogin")
    }
    #expect(await handler.next() == "failure UserLogin Account blocked")
    let error = await #expect(throws: GatebookError.self) { try await token.value }
    #expect(error?.code == .challengeBlocked)
    #expect(await manager.openChallenges.isEmpty)
    world.pass(9)
    let blocked = await #expect(throws: GatebookError.self) {
      try await manager.login("UserLogin", credentials: .user("john"))
    }
    #expect(blocked?.code == .challengeBlocked)
    world.pass(1)
    #expect(try await manager.login("UserLogin", credentials: .user("john")).user?.id == "john")
  }

  @Test func `3 a wrong preemptive login waits for the right answer, without a token`() async throws
  {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    let login = Task { try await manager.login("UserLogin", credentials: .user("x", "y")) }
    #expect(await handler.next() == "challenge UserLogin [Wrong Credentials] 2")
    try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
    #expect(try await login.value.user?.id == "john")
    #expect(world.routes() == ["register", "preauthorize", "preauthorize"])
  }

  @Test func `4 a cancel ends the flow and all who wait, and sends nothing`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin", "PinCode")
    let first = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await handler.next() == "challenge UserLogin [] 3")
    let second = Task { try await manager.obtainAccessToken(forScope: "PinCode") }
    let third = Task { try await manager.obtainAccessToken(forScope: "PinCode UserLogin") }
    while await manager.waitingFlows < 2 { await Task.yield() }
    let count = world.server.requests.count
    #expect(await manager.cancel("UserLogin"))
    for result in [
      await Result { try await first.value }, await Result { try await second.value },
      await Result { try await third.value },
    ] {
      #expect(result.code == .challengeCancelled)
    }
    #expect(world.server.requests.count == count)
    #expect(handler.heard == ["challenge UserLogin [] 3"])
    #expect(await !manager.cancel("UserLogin"))
    let again = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await handler.next() == "challenge UserLogin [] 3")
    try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
    _ = try await again.value
    #expect(try await world.events(.challengeCancelled, .loginCancelled).count == 2)
  }

  @Test func `5 two checks in one 401 are answered by one request`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin", "PinCode")
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin PinCode") }
    #expect(await handler.next() == "challenge PinCode [] 3")
    #expect(await handler.next() == "challenge UserLogin [] 3")
    let count = world.server.requests.count
    try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
    #expect(world.server.requests.count == count)
    try await manager.submitChallengeAnswer(.pin("0000"), to: "PinCode")
    #expect(await handler.next() == "success UserLogin john")
    #expect(await handler.next().hasPrefix("challenge PinCode ["))
    #expect(world.server.requests.count == count + 1)
    let body = try #require(world.server.requests.last?.request.text)
    #expect(body.contains("PinCode") && body.contains("john"))
    #expect(await manager.cancel("PinCode"))
    #expect(await Result { try await token.value }.code == .challengeCancelled)
    // The other check's handler is free again: a login is not refused.
    _ = try await manager.login("UserLogin", credentials: .user("john"))
  }

  @Test func `6 a step-up asks for the second check when the first has succeeded`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled(
      "StepUpUserLogin", "StepUpPinCode")
    let token = Task {
      try await manager.obtainAccessToken(forScope: "StepUpUserLogin StepUpPinCode")
    }
    #expect(await handler.next() == "challenge StepUpUserLogin [] 3")
    try await manager.submitChallengeAnswer(.user("john", "john123"), to: "StepUpUserLogin")
    #expect(await handler.next() == "success StepUpUserLogin John Doe")
    #expect(await handler.next() == "challenge StepUpPinCode [] -")
    try await manager.submitChallengeAnswer(.pin("1234"), to: "StepUpPinCode")
    _ = try await token.value
    #expect(await manager.users["StepUpUserLogin"]?.displayName == "John Doe")
    let last = try #require(world.server.requests(to: .preauthorize).last)
    #expect(!last.request.text.contains("john123"))
  }

  @Test func `7 a remembered user logs in within the window, with the first login's time`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    let start = world.world.clock.now().wall
    try await manager.login("UserLogin", credentials: .user("john", rememberMe: true))
    world.pass(61)
    _ = try await manager.obtainAccessToken(forScope: "UserLogin")
    #expect(await manager.users["UserLogin"]?.authenticatedAt == start)
    #expect(try await world.events(.checkSucceeded).last?.data["remembered"] == true)
    world.pass(61)
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await handler.next() == "success UserLogin john")
    #expect(await handler.next() == "success UserLogin john")
    #expect(await handler.next().hasPrefix("challenge UserLogin"))
    await manager.cancel("UserLogin")
    #expect(await Result { try await token.value }.code == .challengeCancelled)
  }

  @Test(arguments: [(120_000, true), (120_001, false)])
  func `7 the window is inclusive`(milliseconds: Int, isRemembered: Bool) async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john", rememberMe: true), check: "UserLogin")
    world.world.clock.advance(by: .milliseconds(milliseconds))
    let result = await Result { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(result.code == (isRemembered ? nil : .challengeUnhandled))
    guard isRemembered else { return }
    // A full success period began then, at the very end of the window: good until T180.
    try await manager.clearAccessToken(result.get())
    world.world.clock.advance(by: .milliseconds(59_999))
    try await manager.clearAccessToken(manager.obtainAccessToken(forScope: "UserLogin"))
    world.world.clock.advance(by: .milliseconds(1))
    let late = await Result { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(late.code == .challengeUnhandled)
  }

  @Test func `8 a logout forgets user and tokens, and the audit says who did it`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john", rememberMe: true), check: "UserLogin")
    let account = try #require(await manager.account)
    for scope in ["UserLogin", ""] { _ = try await manager.obtainAccessToken(forScope: scope) }
    world.pass(5)
    #expect(try await manager.logout("UserLogin") == .done)
    let context = try await world.book.context(of: account)
    #expect(context.state == .ended(.user))
    #expect(context.user["displayName"] == nil)
    #expect(await manager.users.isEmpty)
    let events = try await world.events(.logoutRequested, .logoutCompleted)
    #expect(events.map(\.account) == [account, account])
    #expect(events.first?.data["by"] == "user")
    #expect(events.last?.data["server"] == "done")
    world.pass(1)
    for scope in ["UserLogin", ""] {
      #expect(try await world.book.liveToken(for: AuthorizationScope(scope), of: account) == nil)
    }
    let result = await Result { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(result.code == .challengeUnhandled)
    // The client survives: it is not registered again.
    #expect(world.server.clientIDs == ["client-1"])
  }

  @Test func `9 equal scopes share a flow, others follow one by one, the dead are not served`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    world.server.forgetRequests()
    try await withThrowingTaskGroup(of: AccessToken.self) { group in
      for _ in 1...5 {
        group.addTask { try await manager.obtainAccessToken(forScope: "UserLogin") }
      }
      let values = try await group.reduce(into: Set<FlowID>()) { $0.insert($1.flow) }
      #expect(values.count == 1)
    }
    #expect(world.routes() == ["preauthorize", "authorization", "token"])
    let first = try await manager.obtainAccessToken(forScope: "accessRestricted  UserLogin")
    #expect(try await manager.obtainAccessToken(forScope: "UserLogin accessRestricted") == first)
    #expect(world.routes().count == 6)
    world.pass(59)
    #expect(try await manager.obtainAccessToken(forScope: "UserLogin").scope == "UserLogin")
    #expect(world.routes().count == 6)
    world.pass(1)
    let result = await Result { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(result.code == .challengeUnhandled)
  }

  @Test func `9 different scopes are obtained one after the other, in their order`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    world.server.forgetRequests()
    var tasks: [Task<AccessToken, any Error>] = []
    for scope in ["UserLogin", "accessRestricted", ""] {
      let before = await manager.openFlows
      tasks.append(Task { try await manager.obtainAccessToken(forScope: scope) })
      while await manager.openFlows == before, world.routes().count < tasks.count * 3 {
        await Task.yield()
      }
    }
    for task in tasks { _ = try await task.value }
    #expect(
      world.routes()
        == Array(repeating: ["preauthorize", "authorization", "token"], count: 3)
        .flatMap { $0 })
    let scopes = world.server.requests(to: .authorization).map { request in
      request.request.query?.split(separator: "&").first { $0.hasPrefix("scope=") } ?? ""
    }
    #expect(scopes == ["scope=UserLogin", "scope=accessRestricted", "scope="])
  }

  @Test func `10 a resource of unknown scope gets its token automatically`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    world.server.forgetRequests()
    let reply = try await world.book.send(.get(world.url("balance")))
    #expect(reply.status == 200)
    #expect(reply.body == Array("19938.80".utf8))
    #expect(
      world.routes() == [
        "balance", "preauthorize", "authorization", "token", "balance", "preauthorize",
        "authorization", "token", "balance",
      ])
    #expect(try await manager.send(.get(world.url("balance"))).status == 200)
    #expect(world.routes().count == 10)
    #expect(try await manager.send(.get(world.url("publicData"))).status == 200)
  }

  @Test(
    arguments: [
      ("Bearer", 1), (#"Bearer error="insufficient_scope", scope="UserLogin""#, 5),
    ])
  func `10 a permanent 403 is returned after five requests, without scope at once`(
    challenge: String, requests: Int
  ) async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    world.server.inject(
      .answer { _ in LoopbackReply(status: 403, fields: ["WWW-Authenticate": challenge]) },
      on: .adapters, times: nil)
    #expect(try await manager.send(.get(world.url("balance"))).status == 403)
    #expect(world.server.requests(to: .adapters).count == requests)
  }
}

extension Result where Failure == any Error {
  /// What an asynchronous call brings.
  init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }

  /// The failure's code; `nil` for a success.
  var code: FailureCode? {
    if case .failure(let error as GatebookError) = self { error.code } else { nil }
  }
}
