import Gatebook
import GatebookFakes
import Testing

/// What the ten examples do not tell: restarts, secrets, samples.
@Suite struct MobileFirstStoryTests {
  /// A form as an app has it: bound to the main actor, answering from inside its callback.
  @MainActor private final class Form: ChallengeHandler {
    weak var manager: AuthorizationManager?
    var shown: [String] = []

    func handleChallenge(_ challenge: SecurityCheckChallenge) async {
      shown.append(challenge.errorMessage)
      let name = challenge.round == 1 ? "wrong" : "john"
      try? await manager?.submitChallengeAnswer(.user(name, "john"), to: challenge.check)
    }
  }

  @Test @MainActor func `a handler of the main actor may answer from inside its callback`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    let form = Form()
    form.manager = manager
    await manager.register(form, for: "UserLogin")
    _ = try await manager.obtainAccessToken(forScope: "UserLogin")
    #expect(form.shown == ["", "Wrong Credentials"])
  }

  @Test func `a restart serves live tokens without the network, and knows the client`() async throws
  {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    let token = try await manager.obtainAccessToken(forScope: "UserLogin")
    await world.book.close()
    world.server.stop()

    let second = try await world.world.open(world.transport)
    #expect(try await second.restore(account).state.name == "offline")
    let again = try await world.manager(account, in: second)
    #expect(try await again.obtainAccessToken(forScope: "UserLogin") == token)
    let down = await Result { try await again.obtainAccessToken(forScope: "accessRestricted") }
    #expect(down.code == .networkUnreachable)
    #expect(try await second.context(of: account).state.name == "offline")

    try world.server.start()
    _ = try await again.obtainAccessToken(forScope: "accessRestricted")
    #expect(try await second.context(of: account).state == .active)
    #expect(world.server.clientIDs == ["client-1"])
  }

  @Test func `a resource without a handler fails as unhandled, and the session is kept`()
    async throws
  {
    let world = try await MobileFirstWorld()
    var manager: AuthorizationManager? = try await world.manager()
    try await manager?.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager?.account)
    manager = nil
    world.pass(61)
    let result = await Result { try await world.book.send(.get(world.url("balance")), as: account) }
    #expect(result.code == .challengeUnhandled)
    #expect(try await world.book.context(of: account).state == .active)
    let failed = try #require(try await world.events(.challengeFailed).last)
    #expect(failed.data["code"] == "challenge.unhandled")
    #expect(failed.data["check"] == "UserLogin")
  }

  @Test func `an open challenge is in the book before its handler hears of it`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("PinCode")
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    let token = Task { try await manager.obtainAccessToken(forScope: "PinCode") }
    #expect(await handler.next() == "challenge PinCode [] 3")
    #expect(try await world.book.context(of: account).openChallenges == ["PinCode"])
    #expect(try await world.book.context(of: account).state == .active)
    // What a crash leaves: another process sees it as abandoned, and nothing is answered
    // automatically.
    let other = try await world.world.open(world.transport)
    #expect(try await other.context(of: account).openChallenges == ["PinCode"])
    try await manager.submitChallengeAnswer(.pin("1234"), to: "PinCode")
    _ = try await token.value
    #expect(try await world.book.context(of: account).openChallenges.isEmpty)
  }

  /// The credentials-validation sample.
  @Test func `a pin code counts its attempts, and needs no user`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("PinCode")
    let token = Task { try await manager.obtainAccessToken(forScope: "PinCode") }
    #expect(await handler.next() == "challenge PinCode [] 3")
    try await manager.submitChallengeAnswer(.pin("0000"), to: "PinCode")
    #expect(await handler.next().hasSuffix("] 2"))
    try await manager.submitChallengeAnswer(.pin("1234"), to: "PinCode")
    #expect(await handler.next() == "success PinCode -")
    let granted = try await token.value
    #expect(await manager.account == nil)
    #expect(try await world.book.accounts().isEmpty)
    #expect(try await manager.obtainAccessToken(forScope: "PinCode") == granted)
  }

  @Test func `a second handler of a name takes the first one's place, and the log says so`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let (manager, first) = try await world.handled("UserLogin")
    let second = RecordingHandler()
    #expect(await manager.register(second, for: "UserLogin") as? RecordingHandler === first)
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await second.next() == "challenge UserLogin [] 3")
    #expect(first.heard.isEmpty)
    await manager.cancel("UserLogin")
    _ = await Result { try await token.value }
    #expect(try await world.events(.challengeReceived).last?.data["handler"] == 2)
  }

  @Test func `one call answers an open challenge, and else logs in`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    let wrong = await Result { try await manager.authenticate(.user("x", "y"), check: "UserLogin") }
    #expect(wrong.code == .credentialsRefused)
    #expect(await handler.next() == "challenge UserLogin [Wrong Credentials] 2")
    #expect(await manager.openChallenges.map(\.remainingAttempts) == [2])
    let john = try await manager.authenticate(.user("john"), check: "UserLogin")
    #expect(await handler.next() == "success UserLogin john")
    #expect(john.user?.displayName == "john")
    #expect(Set(handler.flows) == [john.flow])
    #expect(await manager.openFlows == 0)
    #expect(world.routes() == ["register", "preauthorize", "preauthorize"])
  }

  @Test func `answers, tokens and keys are nowhere in the clear`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    _ = await Result {
      try await manager.authenticate(.user("john", "opensesame"), check: "UserLogin")
    }
    try await manager.authenticate(.user("verysecretname"), check: "UserLogin")
    _ = try await manager.obtainAccessToken(forScope: "UserLogin")
    let answered = try #require(try await world.events(.challengeAnswered).last)
    #expect(answered.data["fields"] == .list(["password", "username"]))
    await world.book.close()
    let file = TestFile.read(world.world.path)
    for secret in ["opensesame", "verysecretname"] + world.server.secretsIssued {
      #expect(!file.holds(secret))
    }
    let key = Self.middle(of: MobileFirstWorld.key)
    #expect(!file.holds(key))
  }

  private static func middle(of key: RSAKey) -> String {
    String(key.pkcs8.withBytes { Base64.encode($0) }.dropFirst(600).prefix(40))
  }

  @Test func `a caller that leaves does not end what others wait for`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("UserLogin")
    let first = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await handler.next() == "challenge UserLogin [] 3")
    let second = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    first.cancel()
    #expect(await Result { try await first.value }.code == .cancelled)
    try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
    #expect(try await second.value.scope == "UserLogin")
  }

  @Test func `a cleared token is obtained again, other scopes keep theirs`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let first = try await manager.obtainAccessToken(forScope: "UserLogin")
    let other = try await manager.obtainAccessToken(forScope: "accessRestricted")
    try await manager.clearAccessToken(first)
    #expect(try await manager.obtainAccessToken(forScope: "accessRestricted") == other)
    #expect(try await manager.obtainAccessToken(forScope: "UserLogin") != first)
    let cleared = try #require(try await world.events(.tokenCleared).last)
    #expect(cleared.data["reason"] == "asked")
    #expect(cleared.data["scope"] == "UserLogin")
  }

  @Test func `a revoked token is replaced by the retry rules`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    #expect(try await manager.send(.get(world.url("balance"))).status == 200)
    world.server.revokeTokens()
    #expect(try await manager.send(.get(world.url("balance"))).status == 200)
    world.server.inject(.conflict, on: .adapters, times: 7)
    #expect(try await manager.send(.get(world.url("balance"))).status == 200)
    world.server.inject(.conflict, on: .adapters, times: 8)
    #expect(try await manager.send(.get(world.url("balance"))).status == 409)
    let foreign = try #require(HTTPURL("https://elsewhere.example.test/"))
    #expect(await Result { try await manager.send(.get(foreign)) }.code == .originForeign)
  }

  @Test func `a rebuild folds security checks as they were folded one by one`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("PinCode")
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    let token = Task { try await manager.obtainAccessToken(forScope: "PinCode") }
    _ = await handler.next()
    let before = try await world.book.context(of: account)
    _ = try await world.book.rebuild()
    #expect(try await world.book.context(of: account) == before)
    await manager.cancel("PinCode")
    #expect(await Result { try await token.value }.code == .challengeCancelled)
    #expect(try await world.book.context(of: account).openChallenges.isEmpty)
  }

  @Test func `a flow whose session was logged out meanwhile changes nothing`() async throws {
    let world = try await MobileFirstWorld()
    let (manager, handler) = try await world.handled("PinCode")
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    let token = Task { try await manager.obtainAccessToken(forScope: "PinCode") }
    #expect(await handler.next() == "challenge PinCode [] 3")
    try await world.book.logOut(account)
    let count = world.server.requests.count
    let late = await Result { try await manager.submitChallengeAnswer(.pin("1234"), to: "PinCode") }
    #expect(late.code == .sessionRefused)
    #expect(await Result { try await token.value }.code == .sessionRefused)
    #expect(world.server.requests.count == count)
    #expect(try await world.book.context(of: account).state == .ended(.user))
    #expect(try await world.events(.challengeAnswered).isEmpty)
  }

  @Test func `a resource's scope is remembered for the next sender`() async throws {
    let world = try await MobileFirstWorld()
    var manager: AuthorizationManager? = try await world.manager()
    try await manager?.authenticate(.user("john"), check: "UserLogin")
    manager = nil
    #expect(try await world.book.send(.get(world.url("balance"))).status == 200)
    world.server.forgetRequests()
    #expect(try await world.book.send(.get(world.url("balance"))).status == 200)
    #expect(world.routes() == ["balance"])
  }

  @Test func `an account is not used for another application`() async throws {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    var other = try world.app()
    other.applicationID = "com.example.other"
    let result = await Result { try await world.manager(account, app: other) }
    #expect(result.code == .configurationInvalid)
  }

  @Test func `another version of the app is sent to the server, under the same client`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let manager = try await world.manager()
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    var newer = try world.app()
    newer.version = "2.0"
    let again = try await world.manager(account, app: newer)
    #expect(again === manager)
    _ = try await again.obtainAccessToken(forScope: "UserLogin")
    #expect(world.server.requests(to: .registeredClient).map(\.request.method) == ["PUT"])
    _ = try await again.obtainAccessToken(forScope: "accessRestricted")
    #expect(world.server.requests(to: .registeredClient).count == 1)
    #expect(world.server.clientIDs == ["client-1"])
  }

  @Test func `a resolver decides about a gateway in front, never about checks and tokens`()
    async throws
  {
    let world = try await MobileFirstWorld()
    let asked = TestBox<[String]>([])
    await world.book.register(
      CallbackResolver { challenge, decide in
        if case .credentials(let scheme, _) = challenge.question {
          asked.withLock { $0.append(scheme) }
        }
        decide(.useCredential(ChallengeCredential(user: "gate", password: Secret("keeper"))))
      })
    let manager = try await world.manager()
    let wrong = await Result { try await manager.authenticate(.user("x", "y"), check: "UserLogin") }
    #expect(wrong.code == .credentialsRefused)
    world.server.inject(
      .answer { _ in
        LoopbackReply(status: 401, fields: ["WWW-Authenticate": "Basic realm=\"front\""])
      }, on: .preauthorize)
    try await manager.authenticate(.user("john"), check: "UserLogin")
    #expect(try await manager.send(.get(world.url("balance"))).status == 200)
    #expect(asked.value == ["basic"])
  }

  @Test func `a name that logged in before brings its account and its client`() async throws {
    let world = try await MobileFirstWorld()
    let first = try await world.manager()
    try await first.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await first.account)
    try await first.logout("UserLogin")
    let again = try await world.book.authorizationManager(for: world.app(), user: "john")
    #expect(await again.account == account)
    try await again.authenticate(.user("john"), check: "UserLogin")
    #expect(try await world.book.context(of: account).state == .active)
    #expect(world.server.clientIDs == ["client-1"])
    let nobody = try await world.book.authorizationManager(for: world.app(), user: "mary")
    #expect(await nobody.account == nil)
  }

  @Test func `a server in cleartext is refused before anything is sent`() async throws {
    let world = try await MobileFirstWorld()
    let url = try #require(HTTPURL("http://mfp.example.test/mfp"))
    let app = MobileFirstApp(server: url, applicationID: "a")
    let result = await Result { try await world.book.authorizationManager(for: app) }
    #expect(result.code == .loginCleartext)
  }
}
