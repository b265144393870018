import Gatebook
import GatebookTestSupport
import Testing

/// The known defects of the original, each by its name; those of pure parts are tested beside them.
@Suite struct MobileFirstDefectTests {
  @Test func `no waiter is dropped without a callback`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    let callers = (1...3).map { _ in
      Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    }
    #expect(await handler.next() == "challenge UserLogin [] 3")
    try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
    for caller in callers { #expect(try await caller.value.scope == "UserLogin") }
    #expect(await manager.openFlows == 0)
  }

  @Test func `the last wrong answer ends the call without a failure handler too`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    for _ in 1...2 {
      let result = await Result {
        try await manager.authenticate(.user("x", "y"), check: "UserLogin")
      }
      #expect(result.code == .credentialsRefused)
    }
    let last = await Result { try await manager.authenticate(.user("x", "y"), check: "UserLogin") }
    #expect(last.code == .challengeBlocked)
    #expect(await manager.openFlows == 0)
  }

  @Test func `a challenge that is ignored does not block every later login`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    let ignored = Task { try await manager.login("UserLogin", credentials: .user("x", "y")) }
    #expect(await handler.next() == "challenge UserLogin [Wrong Credentials] 2")
    let early = await Result { try await manager.login("UserLogin", credentials: .user("john")) }
    #expect(early.code == .loginInProgress)
    #expect(await manager.isChallenged("UserLogin"))
    world.pass(300)
    #expect(try await manager.login("UserLogin", credentials: .user("john")).user?.id == "john")
    #expect(await Result { try await ignored.value }.code == .challengeTimedOut)
  }

  @Test func `a cancel leaves no stale handler of the same 401`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin", "PinCode")
    let token = Task { try await manager.obtainAccessToken(forScope: "PinCode UserLogin") }
    _ = (await handler.next(), await handler.next())
    await manager.cancel("PinCode")
    #expect(await Result { try await token.value }.code == .challengeCancelled)
    #expect(await manager.openChallenges.isEmpty)
    let late = await Result { try await manager.submitChallengeAnswer(.pin("1"), to: "UserLogin") }
    #expect(late.code == .preconditionFailed)
  }

  @Test func `a 403 without scope is returned at once, a permanent 403 after five requests`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    world.server.inject(
      .answer { _ in LoopbackReply(status: 403, fields: ["WWW-Authenticate": "Bearer"]) },
      on: .adapters)
    #expect(try await manager.send(.get(world.url("balance"))).status == 403)
    #expect(world.server.requests(to: .adapters).count == 1)
    world.server.inject(
      .answer { _ in
        LoopbackReply(
          status: 403,
          fields: ["WWW-Authenticate": "Bearer error=\"insufficient_scope\", scope=\"UserLogin\""])
      }, on: .adapters, times: nil)
    #expect(try await manager.send(.get(world.url("balance"))).status == 403)
    #expect(world.server.requests(to: .adapters).count == 6)
    world.server.clearFaults()
  }

  @Test func `a login during an obtain answers its own caller`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin", "PinCode")
    let token = Task { try await manager.obtainAccessToken(forScope: "PinCode") }
    #expect(await handler.next() == "challenge PinCode [] 3")
    let login = await Result { try await manager.login("UserLogin", credentials: .user("john")) }
    #expect(login.code == .loginInProgress)
    let other = await Result { try await manager.authenticate(.user("john"), check: "UserLogin") }
    #expect(other.code == .loginInProgress)
    #expect(await manager.isChallenged("PinCode"))
    try await manager.submitChallengeAnswer(.pin("1234"), to: "PinCode")
    #expect(try await token.value.scope == "PinCode")
  }

  @Test func `a logout is not refused when unregistered or busy`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    #expect(try await manager.logout("UserLogin") == .nothingToEnd)
    #expect(world.routes().isEmpty)
    #expect(try await world.events(.logoutCompleted).first?.data["server"] == "none")
    let login = Task { try await manager.login("UserLogin", credentials: .user("x", "y")) }
    _ = await handler.next()
    let logout = Task { try await manager.logout("UserLogin") }
    while await manager.waitingFlows < 1 { await Task.yield() }
    try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
    #expect(try await login.value.user?.id == "john")
    #expect(try await logout.value == .done)
    #expect(world.routes().last == "logout")
  }

  @Test func `a logout that the server refused is not shown as done`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    world.server.inject(.answer { _ in LoopbackReply(status: 400) }, on: .logout)
    #expect(try await manager.logout("UserLogin") == .failed(nil, status: 400))
    #expect(try await world.events(.logoutCompleted).first?.data["server"] == "failed")
    #expect(try await world.book.context(of: account).state == .ended(.user))
  }

  @Test func `an answer without a challenge is an error and sends nothing`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, _) = try await world.handled("UserLogin")
    let result = await Result {
      try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
    }
    #expect(result.code == .preconditionFailed)
    #expect(world.routes().isEmpty)
  }

  @Test func `each user has a client and tokens of their own`() async throws {
    let world = try await MobileFirstWorld()
    let john = try await world.manager()
    try await john.authenticate(.user("john"), check: "UserLogin")
    let token = try await john.obtainAccessToken(forScope: "UserLogin")
    let mary = try await world.manager()
    try await mary.authenticate(.user("mary"), check: "UserLogin")
    #expect(try await mary.obtainAccessToken(forScope: "UserLogin") != token)
    #expect(world.server.clientIDs == ["client-1", "client-2"])
    #expect(try await world.book.accounts().count == 2)
    let first = try #require(await john.account)
    #expect(try await world.book.send(.get(world.url("balance")), as: first).status == 200)
    #expect(world.server.requests.last?.clientID == "client-1")
    // The next user of a bound manager does not inherit the former identity.
    let stranger = await Result { try await john.authenticate(.user("mary"), check: "UserLogin") }
    #expect(stranger.code == .identityMismatch)
    #expect(try await world.book.context(of: first).state == .needsLogin(.identityMismatch))
    #expect(world.routes().last == "logout")
  }

  @Test func `the client's id survives a failed registration`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    world.server.invalidClientNext()
    world.server.htmlErrorNext(status: 503, on: .registration)
    let result = await Result { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(result.code == .serverUnavailable)
    #expect(try await world.book.context(of: account).state.isUsable)
    // The client is still known: no other registration is tried.
    _ = try await manager.obtainAccessToken(forScope: "UserLogin")
    #expect(world.server.clientIDs == ["client-1"])
    #expect(try await world.events(.registrationRejected).count == 1)
  }

  @Test func `an unknown client is registered anew once, and its session goes on`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    _ = try await manager.obtainAccessToken(forScope: "UserLogin")
    world.server.forgetClients()
    world.pass(60)
    let (_, handler) = (0, RecordingHandler())
    await manager.register(handler, for: "UserLogin")
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await handler.next() == "challenge UserLogin [] 3")
    try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
    _ = try await token.value
    let kinds = try await world.events(
      .registrationCreated, .registrationRejected, .tokenCleared, .registrationReplaced
    ).map(\.kind)
    #expect(
      kinds == [
        "registration.created", "registration.rejected", "token.cleared", "registration.replaced",
      ])
    world.server.invalidClientNext(2)
    let twice = await Result { try await manager.obtainAccessToken(forScope: "accessRestricted") }
    #expect(twice.code == .serverRefused)
  }

  @Test func `parallel first calls are one flow`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...4 {
        group.addTask { _ = try await manager.obtainAccessToken(forScope: "RegisteredClient") }
      }
      try await group.waitForAll()
    }
    #expect(world.routes() == ["register", "preauthorize", "authorization", "token"])
  }
}
