import Gatebook
import GatebookFakes
import Testing

/// Client registrations that no account owns yet and nobody answered under: none is lost, none is
/// shared.
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

  @Test func `the key pair that waits is encrypted`() async throws {
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

  @Test(arguments: [true, false], [true, false])
  func `two users at once never share a registration`(
    isOneBook: Bool, hasAnswered: Bool
  ) async throws {
    let (first, handler) = try await world.handled("UserLogin")
    let john = Task {
      guard hasAnswered else { return try await first.authorization(for: "UserLogin") }
      return try await first.login("UserLogin", credentials: .user("x", "y")).account
    }
    #expect(
      await handler.next() == "challenge UserLogin "
        + (hasAnswered ? "[Wrong Credentials] 2" : "[] 3"))
    let other = isOneBook ? world.book : try await world.world.open(world.transport)
    let second = try await world.manager(in: other)
    let mary = try await second.authenticate(.user("mary"), check: "UserLogin")
    try await first.submitChallengeAnswer(.user("john"), to: "UserLogin")
    #expect(try await john.value != mary.account)
    for (manager, client) in [(first, "client-1"), (second, "client-2")] {
      _ = try await manager.obtainAccessToken(forScope: "UserLogin")
      #expect(world.server.requests.last?.clientID == client)
    }
    #expect(world.server.clientIDs == ["client-1", "client-2"])
    #expect(try kept() == 0)
  }

  private struct Gone { weak var manager: AuthorizationManager? }

  /// Lets a manager register and meet a challenge that nobody answers.
  @discardableResult
  private func register(
    in book: SessionBook? = nil, app: MobileFirstApp? = nil
  ) async throws -> Gone {
    let manager = try await world.manager(in: book, app: app)
    let result = await Result { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(result.code == .challengeUnhandled)
    return Gone(manager: manager)
  }

  @Test func `the client of a flow without an answer is used by the next one`() async throws {
    for _ in 1...2 {
      let gone = try await register()
      while gone.manager != nil { await Task.yield() }
    }
    #expect(world.server.clientIDs == ["client-1"])
    #expect(try kept() == 1)
  }

  @Test func `a client that the server forgot is replaced where it waits`() async throws {
    try await register()
    world.server.forgetClients()
    await world.book.close()
    let book = try await world.world.open(world.transport)
    try await register(in: book)
    #expect(try kept() == 1)
    await book.close()
    let third = try await world.manager(in: world.world.open(world.transport))
    try await third.authenticate(.user("john"), check: "UserLogin")
    #expect(world.server.clientIDs == ["client-2"])
    #expect(try kept() == 0)
  }

  private func otherApp() throws -> MobileFirstApp {
    var app = try world.app()
    app.applicationID = "com.example.other"
    return app
  }

  @Test func `another app does not take a registration up`() async throws {
    try await register()
    await world.book.close()
    let book = try await world.world.open(world.transport)
    let other = try await world.manager(in: book, app: otherApp())
    try await other.authenticate(.user("john"), check: "UserLogin")
    #expect(world.server.clientIDs == ["client-1", "client-2"])
    #expect(try kept() == 1)
  }

  @Test func `a redirect login neither ends nor hides a registration that waits`() async throws {
    try await register()
    #expect(try kept() == 1)
    #expect(try await world.book.pendingLogins().isEmpty)
  }

  @Test(arguments: [(30 * 86_400 - 1, ["client-1"]), (30 * 86_400, ["client-1", "client-2"])])
  func `a registration waits for 30 days`(seconds: Int, clients: [String]) async throws {
    try await register()
    await world.book.close()
    world.pass(seconds)
    let book = try await world.world.open(world.transport)
    try await register(in: book)
    #expect(world.server.clientIDs == clients)
    #expect(try kept() == 1)
  }

  @Test func `a registration that waited too long is ended by any app`() async throws {
    try await register()
    await world.book.close()
    world.pass(30 * 86_400)
    let book = try await world.world.open(world.transport)
    try await register(in: book, app: otherApp())
    #expect(world.server.clientIDs == ["client-1", "client-2"])
    #expect(try kept() == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `another process gets a registration as soon as its manager is gone`() async throws {
    try await register()
    let reader = try BookReader.open(at: world.world.path, key: KeyFile(path: world.world.keyPath))
    let id = try #require(try reader.attempts().first).session
    while try reader.takeLock(ofAttempt: id) == nil, !Task.isCancelled { await Task.yield() }
    let book = try await world.world.open(world.transport)
    try await register(in: book)
    #expect(world.server.clientIDs == ["client-1"])
  }
}

extension AuthorizationManager {
  /// Who is logged in when there is a token for a scope.
  fileprivate func authorization(for scope: String) async throws -> AccountID? {
    _ = try await obtainAccessToken(forScope: scope)
    return account
  }
}
