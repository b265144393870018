import Gatebook
import GatebookTestSupport
import Testing

/// Client registrations that no account owns yet: none is lost, none is shared.
@Suite(.timeLimit(.minutes(10))) struct GuestRegistrationTests {
  private let world: MobileFirstWorld

  init() async throws {
    world = try await MobileFirstWorld()
  }

  private func registrations() -> Int { world.routes().filter { $0 == "register" }.count }

  private func kept() throws -> Int {
    try BookReader.open(at: world.world.path, key: KeyFile(path: world.world.keyPath))
      .attempts().count
  }

  @Test func `a registration survives a crash before the first login`() async throws {
    let (manager, handler) = try await world.handled("UserLogin")
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await handler.next() == "challenge UserLogin [] 3")
    await world.book.close()

    let second = try await world.world.open(world.transport)
    let again = try await second.authorizationManager(
      for: world.app(), account: nil, options: LoginOptions(), makeKey: { RSAKey.generate() })
    let john = try await again.authenticate(.user("john"), check: "UserLogin")
    #expect(registrations() == 1)
    // The key pair is the one that was registered: the server takes what it signs.
    #expect(try await again.obtainAccessToken(forScope: "UserLogin").scope == "UserLogin")
    #expect(world.server.requests.last?.clientID == "client-1")
    #expect(try await second.context(of: try #require(john.account)).state == .active)
    // The account has taken it over: nothing of it waits for somebody else.
    #expect(try kept() == 0)
    let mary = try await world.manager(in: second)
    try await mary.authenticate(.user("mary"), check: "UserLogin")
    #expect(world.server.clientIDs == ["client-1", "client-2"])
    #expect(try kept() == 0)
    let kinds = try await second.events(after: .start).map(\.kind)
    #expect(kinds.filter { $0 == "registration.created" }.count == 2)
    #expect(!kinds.contains("registration.replaced"))
    await manager.cancel("UserLogin")
    _ = await token.result
  }

  @Test func `the key pair that waits is sealed`() async throws {
    let (manager, handler) = try await world.handled("UserLogin")
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    _ = await handler.next()
    #expect(try kept() == 1)
    let key = MobileFirstWorld.key.pkcs8.withBytes { Base64.encode($0) }
    for file in [world.world.path, world.world.path + "-wal"] {
      #expect(!TestFile.read(file).holds(String(key.dropFirst(600).prefix(40))))
    }
    await manager.cancel("UserLogin")
    _ = await token.result
  }

  @Test(arguments: [true, false])
  func `two users at once never share a registration`(isOneBook: Bool) async throws {
    let (first, handler) = try await world.handled("UserLogin")
    let john = Task { try await first.login("UserLogin", credentials: .user("x", "y")) }
    #expect(await handler.next() == "challenge UserLogin [Wrong Credentials] 2")
    let other = isOneBook ? world.book : try await world.world.open(world.transport)
    let second = try await world.manager(in: other)
    let mary = try await second.authenticate(.user("mary"), check: "UserLogin")
    try await first.submitChallengeAnswer(.user("john"), to: "UserLogin")
    #expect(try await john.value.account != mary.account)
    for (manager, client) in [(first, "client-1"), (second, "client-2")] {
      _ = try await manager.obtainAccessToken(forScope: "UserLogin")
      #expect(world.server.requests.last?.clientID == client)
    }
    #expect(world.server.clientIDs == ["client-1", "client-2"])
    #expect(try kept() == 0)
  }

  private struct Gone { weak var manager: AuthorizationManager? }

  /// Lets a manager of its own fail to log in.
  private func failToLogIn() async throws -> Gone {
    let manager = try await world.manager()
    let result = await Result { try await manager.login("UserLogin", credentials: .user("x", "y")) }
    #expect(result.code == .challengeUnhandled)
    return Gone(manager: manager)
  }

  @Test func `the client of a login that came to nothing is used by the next one`() async throws {
    for _ in 1...2 {
      let gone = try await failToLogIn()
      while gone.manager != nil { await Task.yield() }
    }
    #expect(world.server.clientIDs == ["client-1"])
    #expect(try kept() == 1)
  }

  @Test func `a client that the server forgot is replaced where it waits`() async throws {
    let first = try await world.manager()
    _ = await Result { try await first.login("UserLogin", credentials: .user("x", "y")) }
    world.server.forgetClients()
    await world.book.close()
    let book = try await world.world.open(world.transport)
    let second = try await world.manager(in: book)
    _ = await Result { try await second.login("UserLogin", credentials: .user("x", "y")) }
    #expect(try kept() == 1)
    await book.close()
    let third = try await world.manager(in: world.world.open(world.transport))
    try await third.authenticate(.user("john"), check: "UserLogin")
    #expect(world.server.clientIDs == ["client-2"])
    #expect(try kept() == 0)
  }

  @Test func `another app does not take a registration up`() async throws {
    let first = try await world.manager()
    _ = await Result { try await first.login("UserLogin", credentials: .user("x", "y")) }
    await world.book.close()
    var app = try world.app()
    app.applicationID = "com.example.other"
    let book = try await world.world.open(world.transport)
    let other = try await world.manager(in: book, app: app)
    try await other.authenticate(.user("john"), check: "UserLogin")
    #expect(world.server.clientIDs == ["client-1", "client-2"])
    #expect(try kept() == 1)
  }

  @Test func `a redirect login neither ends nor hides a registration that waits`() async throws {
    let first = try await world.manager()
    _ = await Result { try await first.login("UserLogin", credentials: .user("x", "y")) }
    #expect(try kept() == 1)
    #expect(try await world.book.pendingLogins().isEmpty)
  }
}
