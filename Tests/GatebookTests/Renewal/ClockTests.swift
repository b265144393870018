import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Rule 11: the life of a token, whatever the clocks of both sides show.
@Suite struct ClockTests {
  private static let hour = Duration.seconds(3600)

  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
  }

  private func text(_ token: BearerToken) -> String {
    token.value.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func observed() throws -> [Facts] {
    var filter = EventFilter()
    filter.kind = "clock.observed"
    return try BookReader.open(at: world.path).events(filter).map(\.data)
  }

  private func micro(_ duration: Duration) -> FactValue {
    .integer(duration.components.seconds * 1_000_000)
  }

  // MARK: When a life begins

  @Test func `a life counts from when its request was sent`() async throws {
    server.settings.delay = .seconds(100)
    server.settings.pageDelay = .seconds(50)
    let sent = world.clock.now().wall
    let ada = try await book.logIn(server.method())
    #expect(ada.expiresAt == sent + .seconds(600))
    #expect(ada.since == sent + .seconds(150))
    #expect(try await book.token().expiresAt == sent + .seconds(600))
    server.advance(100)
    let again = world.clock.now().wall
    #expect(try await book.renewNow(ada.account))
    #expect(try await book.context(of: ada.account).expiresAt == again + .seconds(600))
    #expect(try await book.token().expiresAt == again + .seconds(600))
  }

  // MARK: Our clock jumps

  @Test(arguments: [hour, .zero - hour])
  func `a jump neither ends nor prolongs a life while the server is away`(
    _ jump: Duration
  ) async throws {
    let end = world.clock.now().wall + jump + .seconds(600)
    _ = try await book.logIn(server.method())
    server.settings.isDown = true
    world.clock.jump(by: jump)
    #expect(text(try await book.token()) == "acc-1")
    // The tries of the renewal take a few seconds of the clock.
    server.advance(590)
    let last = try await book.token()
    #expect(text(last) == "acc-1")
    // Waits of a renewal have parts below a microsecond.
    let difference = try #require(last.expiresAt) - end
    #expect((.milliseconds(-1) ... .milliseconds(1)).contains(difference))
    server.advance(10)
    await expect(.networkUnreachable) { () throws(GatebookError) in _ = try await book.token() }
    server.settings.isDown = false
    #expect(try await book.send(server.page()).status == 200)
    #expect(text(try await book.token()) == "acc-2")
  }

  @Test(arguments: [hour, .zero - hour])
  func `a jump neither ends nor prolongs what cannot be renewed`(_ jump: Duration) async throws {
    server.settings.givesRefreshTokens = false
    let ada = try await book.logIn(server.method())
    world.clock.jump(by: jump)
    #expect(try await book.send(server.page()).status == 200)
    #expect(try await book.restore(ada.account).state.name == "offline")
    #expect(try await book.send(server.page()).status == 200)
    server.advance(599)
    #expect(try await book.send(server.page()).status == 200)
    server.advance(1)
    #expect(try await book.context(of: ada.account).state == .needsLogin(.expired))
  }

  @Test(arguments: [hour, .zero - hour])
  func `a clock jump is recorded once, by the next writer`(_ jump: Duration) async throws {
    let ada = try await book.logIn(server.method())
    world.clock.jump(by: jump)
    let before = try world.kinds().count
    _ = try await book.restore(ada.account)
    _ = try await book.restore(ada.account)
    #expect(
      try world.kinds().dropFirst(before)
        == ["session.restored", "clock.observed", "session.restored"])
    #expect(try observed() == [["jump": micro(jump)]])
    world.clock.jump(by: .zero - jump)
    #expect(try await book.renewNow(ada.account))
    #expect(
      try world.kinds().suffix(3) == ["refresh.started", "clock.observed", "refresh.succeeded"])
    #expect(try observed().last == ["jump": micro(.zero - jump)])
    #expect(try await book.renewNow(ada.account))
    #expect(try observed().count == 2)
  }

  @Test func `small steps are no jump`() async throws {
    let ada = try await book.logIn(server.method())
    world.clock.jump(by: .seconds(5))
    _ = try await book.restore(ada.account)
    #expect(try observed().isEmpty)
  }

  // MARK: The server's clock

  @Test(arguments: [hour, .zero - hour])
  func `a server that is an hour off is recorded once, and changes no lifetime`(
    _ skew: Duration
  ) async throws {
    server.settings.skew = skew
    let ada = try await book.logIn(server.method())
    #expect(try observed() == [["offset": micro(skew)]])
    #expect(try await book.token().expiresAt == world.clock.now().wall + .seconds(600))
    for _ in 1...3 {
      server.advance(500)
      #expect(try await book.send(server.page()).status == 200)
    }
    _ = try await book.restore(ada.account)
    #expect(try await book.send(server.page()).status == 200)
    #expect(try observed().count == 1)
    server.settings.skew = .zero
    #expect(try await book.renewNow(ada.account))
    #expect(try observed().last == ["offset": 0])
    #expect(try world.kinds().suffix(2) == ["refresh.succeeded", "clock.observed"])
    #expect(try await book.renewNow(ada.account))
    #expect(try observed().count == 2)
  }

  @Test func `a late answer does not show a slow clock`() async throws {
    server.settings.delay = .seconds(300)
    _ = try await book.logIn(server.method())
    #expect(try observed().isEmpty)
  }

  // MARK: Restarts

  @Test(arguments: [hour, .zero, .zero - hour])
  func `a renewable session outlives a restart, whatever the wall clock shows then`(
    _ error: Duration
  ) async throws {
    let ada = try await book.logIn(server.method())
    await book.close()
    server.restart(after: 700, wallShows: error)
    let later = try await world.open(server.transport)
    #expect(try await later.restore(ada.account).state.name == "offline")
    #expect(try await later.send(server.page()).status == 200)
    #expect(try await later.context(of: ada.account).state == .active)
  }

  @Test func `after a restart the wall clock ends what cannot be renewed`() async throws {
    server.settings.givesRefreshTokens = false
    let ada = try await book.logIn(server.method())
    server.restart(after: 599, wallShows: .zero)
    #expect(try await book.context(of: ada.account).state == .active)
    server.advance(1)
    #expect(try await book.context(of: ada.account).state == .needsLogin(.expired))
  }

  @Test func `a wall clock that was set back over a restart is corrected by the server's`()
    async throws
  {
    server.settings.givesRefreshTokens = false
    let ada = try await book.logIn(server.method())
    server.restart(after: 60, wallShows: .zero - Self.hour)
    _ = try await book.restore(ada.account)
    #expect(try await book.send(server.page()).status == 200)
    #expect(try observed() == [["offset": micro(Self.hour)]])
    #expect(try world.kinds().suffix(2) == ["session.verified", "clock.observed"])
    server.advance(539)
    #expect(try await book.context(of: ada.account).state == .active)
    server.advance(1)
    #expect(try await book.context(of: ada.account).state == .needsLogin(.expired))
  }

  @Test func `a wall clock that was set back counts no less than the machine runs`() async throws {
    server.settings.givesRefreshTokens = false
    let ada = try await book.logIn(server.method())
    server.restart(after: 60, wallShows: .zero - Self.hour)
    // Ten of these seconds had passed at the restart already.
    server.advance(589)
    #expect(try await book.context(of: ada.account).state == .active)
    server.advance(1)
    #expect(try await book.context(of: ada.account).state == .needsLogin(.expired))
  }

  @Test func `a boot clock of another start tells nothing`() async throws {
    server.settings.givesRefreshTokens = false
    let ada = try await book.logIn(server.method())
    server.restart(after: 60, wallShows: .zero)
    // This run is as long as the one was in which the session began: the clocks look alike.
    let later = world.clock.now()
    world.clock.set(
      Moment(wall: later.wall, boot: .seconds(1001), bootID: later.bootID))
    #expect(try await book.context(of: ada.account).state == .needsLogin(.expired))
  }
}
