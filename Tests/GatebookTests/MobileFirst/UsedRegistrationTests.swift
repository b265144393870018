import Gatebook
import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

/// Client registrations without an account under which somebody has answered: the server knows by
/// them what that person did, so nobody else gets them.
@Suite(.timeLimit(.minutes(10))) struct UsedRegistrationTests {
  private let world: MobileFirstWorld

  init() async throws {
    world = try await MobileFirstWorld()
  }

  /// What a person did.
  enum Deed: CaseIterable {
    /// The right password reached the server; its reply was lost.
    case login, answer
    case pin
    case wrongAnswers

    var check: String { self == .pin ? "PinCode" : "UserLogin" }
  }

  /// What became of the manager.
  enum End: CaseIterable { case gone, closed, crashed }

  private struct Gone { weak var manager: AuthorizationManager? }

  private func kept(_ book: TestBook? = nil) throws -> Int {
    let book = book ?? world.world
    return try BookReader.open(at: book.path, key: KeyFile(path: book.keyPath)).attempts().count
  }

  private func act(
    _ deed: Deed, _ manager: AuthorizationManager, _ handler: RecordingHandler
  ) async throws {
    if deed == .login {
      world.server.inject(.dropAfterActing, on: .preauthorize)
      let login = await Result {
        try await manager.login("UserLogin", credentials: .user("john"))
      }
      #expect(login.code != nil)
      return
    }
    let token = Task { try await manager.obtainAccessToken(forScope: deed.check) }
    #expect(await handler.next() == "challenge \(deed.check) [] 3")
    switch deed {
    case .login, .answer:
      world.server.inject(.dropAfterActing, on: .preauthorize)
      try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
      #expect(await Result { try await token.value }.code != nil)
    case .pin:
      try await manager.submitChallengeAnswer(.pin("1234"), to: "PinCode")
      #expect(try await token.value.scope == "PinCode")
    case .wrongAnswers:
      for _ in 1...3 {
        try await manager.submitChallengeAnswer(.user("x", "y"), to: "UserLogin")
        _ = await handler.next()
      }
      #expect(await Result { try await token.value }.code == .challengeBlocked)
    }
  }

  /// Lets a person act; brings where the next one finds the book.
  private func finish(_ deed: Deed, _ end: End) async throws -> (Gone, TestBook) {
    let (manager, handler) = try await world.handled(deed.check)
    try await act(deed, manager, handler)
    switch end {
    case .gone: break
    case .closed: await world.book.close()
    case .crashed: return (Gone(manager: manager), try world.world.crashImage())
    }
    return (Gone(manager: manager), world.world)
  }

  @Test(.timeLimit(.minutes(1)), arguments: Deed.allCases, End.allCases)
  func `the next person inherits nothing of what the former one did`(
    deed: Deed, end: End
  ) async throws {
    let (gone, place) = try await finish(deed, end)
    while gone.manager != nil { await Task.yield() }
    let book = end == .gone ? world.book : try await place.open(world.transport)
    let manager = try await world.manager(in: book)
    let handler = RecordingHandler()
    await manager.register(handler, for: deed.check)
    let token = Task { try await manager.obtainAccessToken(forScope: deed.check) }
    #expect(await handler.next() == "challenge \(deed.check) [] 3")
    await manager.cancel(deed.check)
    #expect(await Result { try await token.value }.code == .challengeCancelled)
    #expect(world.server.clientIDs == ["client-1", "client-2"])
    // What nobody may take up is not kept either; the second person's waits.
    try #require(world.server.clientIDs.count == 2)
    while try kept(place) > 1, !Task.isCancelled { await Task.yield() }
    #expect(try kept(place) == 1)
  }

  @Test func `a registration without an answer is taken up after a crash`() async throws {
    let (manager, handler) = try await world.handled("UserLogin")
    let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
    #expect(await handler.next() == "challenge UserLogin [] 3")
    let image = try world.world.crashImage()
    await manager.cancel("UserLogin")
    _ = await token.result
    let book = try await image.open(world.transport)
    let second = try await world.manager(in: book)
    #expect(try await second.authenticate(.user("mary"), check: "UserLogin").user?.id == "mary")
    #expect(world.server.clientIDs == ["client-1"])
    #expect(try kept(image) == 0)
  }

  /// How a first answer comes to the server.
  enum Answer: CaseIterable {
    case login, loginAfterChallenge, challenge
    /// The server forgets the client meanwhile: the answer goes out once more under another one.
    case challengeByForgotten
  }

  @Test(arguments: [
    (Answer.login, [true]), (.loginAfterChallenge, [false, true]), (.challenge, [false, true]),
    (.challengeByForgotten, [false, false, true, true]),
  ])
  func `a registration is marked before the first answer goes out under it`(
    answer: Answer, expected: [Bool]
  ) async throws {
    let marks = TestBox<[Bool?]>([])
    let (curl, place) = (world.transport, world.world)
    let book = try await place.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        if request.url.path.hasSuffix("preauthorize") {
          let reader = try? BookReader.open(at: place.path, key: KeyFile(path: place.keyPath))
          let content = (try? reader?.attempts().first)?.content
          let mark = content.flatMap { Facts(decoding: $0)?["used"]?.bool }
          marks.withLock { $0.append(mark) }
        }
        return try await curl.send(request, through: route)
      })
    let manager = try await world.manager(in: book)
    if [.loginAfterChallenge, .challengeByForgotten].contains(answer) {
      let result = await Result { try await manager.obtainAccessToken(forScope: "UserLogin") }
      #expect(result.code == .challengeUnhandled)
    }
    if [.challenge, .challengeByForgotten].contains(answer) {
      let handler = RecordingHandler()
      await manager.register(handler, for: "UserLogin")
      let token = Task { try await manager.obtainAccessToken(forScope: "UserLogin") }
      #expect(await handler.next() == "challenge UserLogin [] 3")
      if answer == .challengeByForgotten { world.server.forgetClients() }
      try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
      _ = try await token.value
    } else {
      try await manager.login("UserLogin", credentials: .user("john"))
    }
    #expect(marks.value == expected)
    #expect(try kept() == 0)
  }

  @Test func `the same manager continues with what it has used`() async throws {
    let manager = try await world.manager()
    let wrong = await Result { try await manager.login("UserLogin", credentials: .user("x", "y")) }
    #expect(wrong.code == .challengeUnhandled)
    let reader = try BookReader.open(at: world.world.path, key: KeyFile(path: world.world.keyPath))
    let id = try #require(try reader.attempts().first).session
    #expect(try kept() == 1)
    #expect(try reader.takeLock(ofAttempt: id) == nil)
    try await manager.authenticate(.user("john"), check: "UserLogin")
    #expect(world.server.clientIDs == ["client-1"])
    #expect(try kept() == 0)
    // The account owns it now: there is nothing left to hold.
    #expect(try reader.takeLock(ofAttempt: id) != nil)
  }

  @Test func `an authorization that a crash left is ended by any app, unless its manager lives`()
    async throws
  {
    let manager = try await world.manager()
    try await manager.authenticate(.pin("1234"), check: "PinCode")
    let image = try world.world.crashImage()
    var app = try world.app()
    app.applicationID = "com.example.other"
    for (place, count) in [(image, 1), (world.world, 2)] {
      let book = try await place.open(world.transport)
      let other = try await world.manager(in: book, app: app)
      _ = try await other.obtainAccessToken()
      #expect(try kept(place) == count)
    }
    try await manager.authenticate(.pin("1234"), check: "PinCode")
    #expect(world.server.requests.last?.clientID == "client-1")
  }

  @Test(.timeLimit(.minutes(1))) func `a manager that goes ends what it has used`() async throws {
    _ = try await finish(.pin, .gone)
    while try kept() > 0, !Task.isCancelled { await Task.yield() }
    #expect(try kept() == 0)
  }

  @Test func `a book that is closed ends what its managers have used`() async throws {
    let used = try await world.manager()
    try await used.authenticate(.pin("1234"), check: "PinCode")
    let unused = try await world.manager()
    _ = try await unused.obtainAccessToken()
    #expect(try kept() == 2)
    await world.book.close()
    #expect(try kept() == 1)
    let second = try await world.manager(in: world.world.open(world.transport))
    try await second.authenticate(.user("john"), check: "UserLogin")
    #expect(world.server.clientIDs == ["client-1", "client-2"])
    #expect(world.server.requests.last?.clientID == "client-2")
    withExtendedLifetime((used, unused)) {}
  }
}
