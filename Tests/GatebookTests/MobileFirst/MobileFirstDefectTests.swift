import Gatebook
import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

/// The known defects of the original, each by its name in section 8 of the protocol; those of pure
/// parts are tested beside them, under their names too.
@Suite(.timeLimit(.minutes(10))) struct MobileFirstDefectTests {
  /// Answers every challenge wrongly, and has no callback for a failure.
  private actor Stubborn: ChallengeHandler {
    // The manager keeps its handlers alive.
    private weak var manager: AuthorizationManager?

    init(_ manager: AuthorizationManager) { self.manager = manager }

    func handleChallenge(_ challenge: SecurityCheckChallenge) async {
      try? await manager?.submitChallengeAnswer(.user("x", "y"), to: challenge.check)
    }
  }

  enum End: CaseIterable { case success, failure, cancel }

  @Test(arguments: End.allCases)
  func `never again: waiters dropped without a callback`(end: End) async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    let callers = ["UserLogin", "UserLogin", "UserLogin", "accessRestricted"].map { scope in
      Task { try await manager.obtainAccessToken(forScope: scope) }
    }
    #expect(await handler.next() == "challenge UserLogin [] 3")
    while await manager.waitingFlows < 1 { await Task.yield() }
    switch end {
    case .success: try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
    case .failure:
      world.server.application.checks[0].settings.maxAttempts = 1
      try await manager.submitChallengeAnswer(.user("x", "y"), to: "UserLogin")
    case .cancel: #expect(await manager.cancel("UserLogin"))
    }
    let code: FailureCode? =
      switch end {
      case .success: nil
      case .failure: .challengeBlocked
      case .cancel: .challengeCancelled
      }
    for caller in callers { #expect(await Result { try await caller.value }.code == code) }
    #expect(await manager.openFlows == 0)
  }

  @Test func `never again: hang at the last wrong answer when no failure handler exists`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    for code in [FailureCode.credentialsRefused, .credentialsRefused, .challengeBlocked] {
      let result = await Result {
        try await manager.authenticate(.user("x", "y"), check: "UserLogin")
      }
      #expect(result.code == code)
    }
    #expect(await manager.openFlows == 0)
    world.pass(10)
    await manager.register(Stubborn(manager), for: "UserLogin")
    let token = await Result { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(token.code == .challengeBlocked)
    #expect(await manager.openFlows == 0)
  }

  @Test func `a block is over once its check was passed`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.login("UserLogin", credentials: .user("john"))
    let account = try #require(try await world.book.accounts().first?.account)
    world.pass(300)
    for _ in 1...3 {
      _ = await Result { try await manager.login("UserLogin", credentials: .user("x", "y")) }
    }
    #expect(try await world.book.why(account).advice == .logInLater)
    world.pass(300)
    try await manager.login("UserLogin", credentials: .user("john"))
    #expect(try await world.book.why(account).advice == .nothing)
  }

  @Test func `never again: ignoring a challenge blocks every later login`() async throws {
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

  @Test func `never again: cancel leaves stale handlers of the same 401`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin", "PinCode")
    let token = Task { try await manager.obtainAccessToken(forScope: "PinCode UserLogin") }
    _ = (await handler.next(), await handler.next())
    await manager.cancel("PinCode")
    #expect(await Result { try await token.value }.code == .challengeCancelled)
    #expect(await manager.openChallenges.isEmpty)
    let late = await Result { try await manager.submitChallengeAnswer(.pin("1"), to: "UserLogin") }
    #expect(late.code == .preconditionFailed)
    // Both handlers are idle: each takes a challenge of its own again.
    for (check, answer) in [("UserLogin", ChallengeAnswer.user("john")), ("PinCode", .pin("1234"))]
    {
      let again = Task { try await manager.obtainAccessToken(forScope: check) }
      #expect(await handler.next() == "challenge \(check) [] 3")
      try await manager.submitChallengeAnswer(answer, to: check)
      #expect(try await again.value.scope == check)
      _ = await handler.next()
    }
  }

  @Test func `never again: 403 without scope hangs`() async throws {
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

  @Test func `never again: login during an obtain resolves the wrong caller`() async throws {
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

  @Test func `never again: logout refused when unregistered or busy`() async throws {
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

  @Test(arguments: [400, nil])
  func `never again: local logout shown as done whatever the server said`(
    status: Int?
  ) async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    if let status {
      world.server.inject(.answer { _ in LoopbackReply(status: status) }, on: .logout)
    } else {
      world.server.inject(.dropBeforeActing, on: .logout)
    }
    let outcome = try await manager.logout("UserLogin")
    #expect(outcome == .failed(status == nil ? .networkUnreachable : nil, status: status))
    let completed = try #require(try await world.events(.logoutCompleted).first)
    // A refusal is the server's last word.
    #expect(completed.data["server"] == (status == nil ? "queued" : "givenUp"))
    #expect(completed.data["status"]?.integer == status.map(Int64.init))
    #expect(try await world.book.context(of: account).state == .ended(.user))
  }

  @Test func `never again: submit without challenge crashes`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, _) = try await world.handled("UserLogin")
    let result = await Result {
      try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
    }
    #expect(result.code == .preconditionFailed)
    #expect(world.routes().isEmpty)
    let none = await Result { try await manager.submitChallengeAnswer(nil, to: "no such check") }
    #expect(none.code == .preconditionFailed)
  }

  @Test(
    arguments: [
      "null", "{}", "7", #"{"errorMsg":null}"#, #"{"errorMsg":{}}"#, #"{"remainingAttempts":"x"}"#,
    ])
  func `never again: forced unwrap of errorMsg`(payload: String) async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    world.server.inject(
      .answer { _ in
        .json(
          #"{"challenges":{"UserLogin":\#(payload)}}"#, status: 401,
          fields: ["WWW-Authenticate": "MFP-Challenge"])
      }, on: .preauthorize)
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await handler.next() == "challenge UserLogin [] -")
    try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
    #expect(try await token.value.scope == "UserLogin")
  }

  @Test func `never again: header parsing by splitting at "," and "="`() async throws {
    let world = try await MobileFirstWorld()
    world.server.application.elements["a=b,c"] = ["UserLogin"]
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    world.server.inject(
      .answer { _ in
        LoopbackReply(
          status: 403,
          fields: [
            "WWW-Authenticate":
              #"Basic realm="x, scope=y", Bearer error="insufficient_scope", scope="a=b,c""#
          ])
      }, on: .adapters)
    #expect(try await manager.send(.get(world.url("balance"))).status == 200)
    let query = try #require(world.server.requests(to: .authorization).first?.request.query)
    #expect(query.split(separator: "&").contains("scope=a%3Db%2Cc"))
  }

  @Test func `never again: one client id and one token map for all users of an app`() async throws {
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
    #expect("\(stranger)".contains("The account's session has ended"), "\(stranger)")
    #expect(try await world.book.context(of: first).state == .needsLogin(.identityMismatch))
    #expect(world.routes().last == "logout")
  }

  @Test func `never again: password sent again in later rounds of a step-up`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("StepUpUserLogin", "StepUpPinCode")
    let token = Task {
      try await manager.obtainAccessToken(forScope: "StepUpUserLogin StepUpPinCode")
    }
    #expect(await handler.next() == "challenge StepUpUserLogin [] 3")
    try await manager.submitChallengeAnswer(.user("john", "john123"), to: "StepUpUserLogin")
    for pin in ["0000", "1234"] {
      await handler.hear("challenge StepUpPinCode")
      try await manager.submitChallengeAnswer(.pin(pin), to: "StepUpPinCode")
    }
    _ = try await token.value
    let bodies = world.server.requests(to: .preauthorize).map(\.request.text)
    #expect(bodies.count == 4)
    #expect(bodies.filter { $0.contains("john123") }.count == 1)
    #expect(bodies.filter { $0.contains("0000") }.count == 1)
  }

  @Test func `never again: no login timeout`() async throws {
    let world = try await MobileFirstWorld()
    let slow = ScriptedTransport { request, route throws(TransportFailure) in
      let reply = try await world.transport.send(request, through: route)
      world.pass(6)
      return reply
    }
    let book = try await world.world.open(slow)
    let manager = try await world.manager(in: book)
    let result = await Result {
      try await manager.login("UserLogin", credentials: .user("x", "y"))
    }
    // Registration and preauthorize take 12 s: there is nothing left of the 10 s for more.
    #expect(result.code == .challengeUnhandled)
    let token = await Result { try await manager.obtainAccessToken(forScope: "") }
    #expect(token.code == .networkUnreachable)
    await manager.setLoginTimeout(.seconds(60))
    #expect(try await manager.obtainAccessToken(forScope: "").scope.isEmpty)
  }

  @Test func `never again: client id lost after a failed re-registration`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    world.server.inject(.unknownClient, on: .preauthorize)
    world.server.inject(.status(503), on: .registration)
    let result = await Result { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(result.code == .serverUnavailable)
    #expect(try await world.book.context(of: account).state.isUsable)
    // The client is still known: no other registration is tried.
    _ = try await manager.obtainAccessToken(forScope: "UserLogin")
    #expect(world.server.clientIDs == ["client-1"])
    #expect(try await world.events(.registrationRejected).count == 1)
  }

  @Test func `never again: recovery from refused update of the registration missing`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    var newer = try world.app()
    newer.version = "2.0"
    let again = try await world.manager(account, app: newer)
    world.server.inject(.answer { _ in LoopbackReply(status: 400) }, on: .registeredClient)
    try await again.authenticate(.user("john"), check: "UserLogin")
    #expect(try await again.obtainAccessToken(forScope: "UserLogin").scope == "UserLogin")
    #expect(world.server.requests(to: .registeredClient).count == 1)
    #expect(world.server.requests.last?.clientID == "client-2")
    #expect(try await world.book.context(of: account).state == .active)
    #expect(
      try await world.events(.registrationRejected, .registrationReplaced).map(\.kind)
        == ["registration.rejected", "registration.replaced"])
  }

  @Test func `an unknown client is registered again once, and its session continues`() async throws
  {
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
    world.server.inject(.unknownClient, on: .preauthorize, times: 2)
    let twice = await Result { try await manager.obtainAccessToken(forScope: "accessRestricted") }
    #expect(twice.code == .serverRefused)
  }

  @Test func `never again: four parallel first calls cost twelve round trips`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...4 {
        group.addTask { _ = try await manager.send(.get(world.url("publicData")), scope: "") }
      }
      try await group.waitForAll()
    }
    #expect(
      world.routes().filter { $0 != "publicData" }
        == ["register", "preauthorize", "authorization", "token"])
  }
}
