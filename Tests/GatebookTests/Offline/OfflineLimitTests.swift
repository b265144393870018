import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// How long a session may be used without the server confirming it, and how that is counted.
@Suite struct OfflineLimitTests {
  private static let day = Duration.seconds(86_400)

  /// Ada logged in with a limit of seven days.
  private struct Stage {
    let world = try? TestBook()
    let server = BasicServer()
    let book: SessionBook
    let ada: SessionContext
    let page: HTTPURL

    init(limit: Duration? = day * 7) async throws {
      var options = LoginOptions()
      options.offlineLimit = limit
      book = try await #require(world).open(server.transport)
      ada = try await book.logIn(.basic(), options: options)
      page = try #require(HTTPURL("http://127.0.0.1:8080/private/page"))
    }

    var clock: FixedClock { get throws { try #require(world).clock } }
    var sent: Int { server.transport.requests.count }
    var isUsable: Bool {
      get async throws { try await book.context(of: ada.account).state.isUsable }
    }

    func expectEnded(sourceLocation: SourceLocation = #_sourceLocation) async throws {
      let state = try await book.context(of: ada.account).state
      #expect(state == .needsLogin(.offlineTooLong), sourceLocation: sourceLocation)
      let last = try #require(try await book.events(after: .start).last)
      #expect(last.kind == "session.ended", sourceLocation: sourceLocation)
      #expect(last.data["reason"] == "offlineTooLong", sourceLocation: sourceLocation)
      let holds = try await book.holdsSession(of: ada.account)
      #expect(!holds, sourceLocation: sourceLocation)
    }
  }

  @Test func `within the limit a session is resumed, beyond it it ends, without the network`()
    async throws
  {
    let stage = try await Stage()
    let sent = stage.sent
    try stage.clock.advance(by: Self.day * 6)
    let restored = try await stage.book.restore(stage.ada.account)
    #expect(restored.state == .offline(lastVerified: stage.ada.since))
    try stage.clock.advance(by: Self.day + .seconds(1))
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await stage.book.restore(stage.ada.account)
    }
    try await stage.expectEnded()
    #expect(stage.sent == sent)
    // What has ended stays ended: there is one event of it.
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await stage.book.restore(stage.ada.account)
    }
    let kinds = try #require(stage.world).kinds()
    #expect(kinds.filter { $0 == "session.ended" }.count == 1)
  }

  @Test func `a sync asks the server about a session beyond it that nobody has resumed`()
    async throws
  {
    let stage = try await Stage()
    try stage.clock.advance(by: Self.day * 8)
    let sent = stage.sent
    #expect(try await stage.book.sync().verified == [stage.ada.account])
    #expect(stage.sent > sent)
    let context = try await stage.book.context(of: stage.ada.account)
    #expect(context.state == .active)
    #expect(!context.isPastOfflineLimit)
  }

  @Test func `without a limit a session is resumed after years`() async throws {
    let stage = try await Stage(limit: nil)
    try stage.clock.advance(by: Self.day * 4000)
    #expect(try await stage.book.restore(stage.ada.account).state.isUsable)
  }

  @Test func `the limit holds for another process, which was told nothing of it`() async throws {
    let stage = try await Stage()
    let other = try await #require(stage.world).open(stage.server.transport)
    try stage.clock.advance(by: Self.day * 8)
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await other.restore(stage.ada.account)
    }
    try await stage.expectEnded()
  }

  @Test func `a confirmation by the server restarts the offline limit`() async throws {
    let stage = try await Stage()
    for _ in 0..<4 {
      try stage.clock.advance(by: Self.day * 5)
      _ = try await stage.book.restore(stage.ada.account)
      #expect(try await stage.book.sync().verified == [stage.ada.account])
    }
    #expect(try await stage.book.context(of: stage.ada.account).state == .active)
  }

  @Test func `daily use never runs into it, though nobody resumes the session`() async throws {
    let stage = try await Stage()
    for _ in 0..<20 {
      try stage.clock.advance(by: Self.day)
      #expect(try await stage.book.send(.get(stage.page)).status == 200)
    }
    // Nor is the server asked each time: once more than half of the limit is over.
    let kinds = try #require(stage.world).kinds()
    #expect(kinds.filter { $0 == "session.verified" }.count == 5)
  }

  @Test func `a use beyond it asks the server, whose word counts more than a clock`() async throws {
    let stage = try await Stage()
    try stage.clock.advance(by: Self.day * 30)
    #expect(try await stage.book.send(.get(stage.page)).status == 200)
    #expect(try await stage.isUsable)
  }

  @Test(arguments: [BasicServer.Mood.down, .status(503), .html, .redirect("http://portal/")])
  func `a use past the limit without a confirmation ends the session`(
    _ mood: BasicServer.Mood
  ) async throws {
    let stage = try await Stage()
    stage.server.set(mood)
    try stage.clock.advance(by: Self.day * 6)
    _ = try? await stage.book.send(.get(stage.page))
    #expect(try await stage.isUsable)
    try stage.clock.advance(by: Self.day * 2)
    // This method takes an HTML page with 200 for the server's confirmation.
    guard case .html = mood else {
      await expect(.sessionRefused) { () throws(GatebookError) in
        _ = try await stage.book.send(.get(stage.page))
      }
      return try await stage.expectEnded()
    }
  }

  @Test func `sync ends it too, and says so`() async throws {
    let stage = try await Stage()
    _ = try await stage.book.restore(stage.ada.account)
    stage.server.set(.down)
    try stage.clock.advance(by: Self.day * 8)
    let report = try await stage.book.sync()
    #expect(report.failures.map(\.error.code) == [.sessionRefused])
    try await stage.expectEnded()
  }

  @Test func `a token is not given out beyond it`() async throws {
    let world = try await PortalWorld()
    var options = LoginOptions()
    options.offlineLimit = .seconds(100)
    let ada = try await world.logIn(world.method(.oauth2Password), options: options)
    world.portal.stop()
    world.world.clock.advance(by: .seconds(99))
    _ = try await world.book.token(for: ada.account)
    world.world.clock.advance(by: .seconds(2))
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await world.book.token(for: ada.account)
    }
    #expect(
      try await world.book.context(of: ada.account).state == .needsLogin(.offlineTooLong))
  }

  @Test func `a renewal is a confirmation by the server`() async throws {
    let world = try await PortalWorld()
    var options = LoginOptions()
    options.offlineLimit = .seconds(1000)
    let ada = try await world.logIn(world.method(.oauth2Password), options: options)
    for _ in 0..<3 {
      world.world.clock.advance(by: .seconds(900))
      _ = try await world.book.token(for: ada.account)
    }
    #expect(try await world.book.restore(ada.account).state.isUsable)
  }

  @Test func `who cancels has ended nothing`() async throws {
    let stage = try await Stage()
    try stage.clock.advance(by: Self.day * 8)
    let book = stage.book
    let page = stage.page
    let use = Task { () async -> GatebookError? in
      while !Task.isCancelled { await Task.yield() }
      do throws(GatebookError) {
        _ = try await book.send(.get(page))
        return nil
      } catch { return error }
    }
    use.cancel()
    #expect(await use.value?.code == .cancelled)
    #expect(try await stage.isUsable)
  }

  @Test func `where the end cannot be written the session is refused all the same`() async throws {
    let stage = try await Stage()
    await stage.book.close()
    let world = try #require(stage.world)
    world.lockOut()
    defer { world.letIn() }
    let book = try await world.open(stage.server.transport)
    #expect(try await !book.restore(stage.ada.account).isRecorded)
    world.clock.advance(by: Self.day * 8)
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await book.restore(stage.ada.account)
    }
  }

  @Test func `a wall clock that was set back makes it no longer`() async throws {
    let stage = try await Stage()
    try stage.clock.advance(by: Self.day * 8)
    try stage.clock.jump(by: Self.day * -8)
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await stage.book.restore(stage.ada.account)
    }
    try await stage.expectEnded()
  }

  @Test func `a wall clock that was wrong once and is right again ends nothing`() async throws {
    let stage = try await Stage()
    for days in [-8, 8, 8, -8] {
      try stage.clock.jump(by: Self.day * days)
      #expect(try await stage.book.restore(stage.ada.account).isRecorded)
    }
    #expect(try BookReader.open(at: #require(stage.world).path).checkProjections().ok)
  }

  @Test func `nor is it when the machine is started again with a wrong clock each time`()
    async throws
  {
    let stage = try await Stage()
    let start = try stage.clock.now().wall
    // Each time the clock says that it is the first day, and the machine runs for 30 hours.
    for _ in 0..<5 {
      try stage.clock.set(Moment(wall: start, boot: .zero))
      for hours in [1, 29] {
        try stage.clock.advance(by: .seconds(hours * 3600))
        _ = try await stage.book.restore(stage.ada.account)
      }
    }
    // That was 150 of 168 hours.
    try stage.clock.set(Moment(wall: start, boot: .zero))
    try stage.clock.advance(by: .seconds(17 * 3600))
    _ = try await stage.book.restore(stage.ada.account)
    try stage.clock.advance(by: .seconds(2 * 3600))
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await stage.book.restore(stage.ada.account)
    }
    try await stage.expectEnded()
  }

  @Test func `the time that the machine was off counts by the wall clock`() async throws {
    let stage = try await Stage()
    let start = try stage.clock.now().wall
    try stage.clock.set(Moment(wall: start + Self.day * 6, boot: .seconds(10)))
    _ = try await stage.book.restore(stage.ada.account)
    try stage.clock.set(Moment(wall: start + Self.day * 8, boot: .seconds(10)))
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await stage.book.restore(stage.ada.account)
    }
  }

  @Test func `an explicit login sets it again, an automatic one keeps it`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    var options = LoginOptions()
    options.offlineLimit = Self.day
    options.saveCredentials = true
    let ada = try await book.logIn(.basic(), options: options)
    #expect(try await book.logInAgain(ada.account).state == .active)
    world.clock.advance(by: Self.day * 2)
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await book.restore(ada.account)
    }
    _ = try await book.logIn(.basic())
    world.clock.advance(by: Self.day * 2)
    #expect(try await book.restore(ada.account).state.isUsable)
  }

  @Test func `a step-up keeps it, and saves nothing of its own`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    var options = LoginOptions()
    options.offlineLimit = Self.day
    options.saveCredentials = true
    let ada = try await book.logIn(server.method(hasPage: true), options: options)
    let stepUp = try await book.stepUpLogin(
      of: ada.account, to: StepUp(scopes: ["write"]), redirectURI: "com.example.app:/back")
    #expect(stepUp.options.offlineLimit == Self.day)
    #expect(!stepUp.options.saveCredentials)
  }

  @Test func `the token of a security check is not given out beyond it`() async throws {
    let world = try await MobileFirstWorld()
    var options = LoginOptions()
    options.offlineLimit = .seconds(60)
    let manager = try await world.book.authorizationManager(
      for: try world.app(), account: nil, options: options, makeKey: { MobileFirstWorld.key })
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    let token = try await manager.obtainAccessToken(forScope: "UserLogin")
    world.pass(59)
    #expect(try await manager.obtainAccessToken(forScope: "UserLogin").value == token.value)
    world.server.stop()
    world.pass(2)
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await manager.obtainAccessToken(forScope: "UserLogin")
    }
    #expect(try await world.book.context(of: account).state == .needsLogin(.offlineTooLong))
  }

  @Test func `an end beyond it tells no server of a logout that would strike the next login`()
    async throws
  {
    let world = try await PortalWorld()
    var options = LoginOptions()
    options.offlineLimit = .seconds(100)
    let method = try world.method(.cookie)
    let ada = try await world.logIn(method, options: options)
    world.world.clock.advance(by: .seconds(101))
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await world.book.restore(ada.account)
    }
    #expect(try world.kinds().last == "session.ended")
    _ = try await world.logIn(method)
    #expect(try await world.book.sync().delivered == 0)
    #expect(world.portal.requests(to: .logout).isEmpty)
    #expect(try await world.book.send(world.call(), as: ada.account).status == 200)
  }

  @Test func `nor of the logout of a security check, which the next login has passed`() async throws
  {
    let world = try await MobileFirstWorld()
    var options = LoginOptions()
    options.offlineLimit = .seconds(60)
    let manager = try await world.book.authorizationManager(
      for: try world.app(), account: nil, options: options, makeKey: { MobileFirstWorld.key })
    try await manager.authenticate(.user("john"), check: "UserLogin")
    let account = try #require(await manager.account)
    world.pass(61)
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await world.book.restore(account)
    }
    #expect(try await world.events(.revocationQueued).isEmpty)
    let next = try await world.manager(account)
    try await next.authenticate(.user("john"), check: "UserLogin")
    #expect(try await world.book.sync().delivered == 0)
    #expect(!world.routes().contains("logout"))
    #expect(try await world.book.context(of: account).state.isUsable)
  }

  @Test func `a login that waits for its page keeps its limit`() throws {
    var options = LoginOptions()
    options.offlineLimit = .seconds(5)
    #expect(LoginOptions(record: options.record)?.offlineLimit == .seconds(5))
    #expect(LoginOptions(record: LoginOptions().record)?.offlineLimit == nil)
  }
}
