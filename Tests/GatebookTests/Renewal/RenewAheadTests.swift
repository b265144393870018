import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// ``SessionBook/keepSessionsRenewed()``.
@Suite struct RenewAheadTests {
  @Test func `a session that nobody uses is renewed in its last fifth, and not before`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    let book = try await world.world.open(world.transport, renewalPolicy: .beforeUse)
    let keeping = Task { await book.keepSessionsRenewed() }
    world.world.clock.advance(by: .seconds(470))
    for _ in 0..<10 { await world.world.clock.pause(for: .seconds(1)) }
    #expect(world.refreshTokensSent().isEmpty)
    world.world.clock.advance(by: .seconds(70))
    #expect(
      try await eventually { try await book.context(of: ada.account).generation == 2 })
    #expect(world.refreshTokensSent().count == 1)
    await book.close()
    await keeping.value
  }

  @Test func `a server in trouble is left alone between tries`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    let book = try await world.world.open(world.transport, renewalPolicy: .inBackground)
    world.portal.inject(.status(503, retryAfter: 30), on: .token, times: nil)
    world.world.clock.advance(by: .seconds(500))
    let keeping = Task { await book.keepSessionsRenewed() }
    #expect(try await eventually { world.refreshTokensSent().count == 1 })
    for _ in 0..<20 {
      world.world.clock.advance(by: .seconds(1))
      await world.world.clock.pause(for: .seconds(1))
    }
    #expect(world.refreshTokensSent().count == 1)
    world.world.clock.advance(by: .seconds(40))
    #expect(try await eventually { world.refreshTokensSent().count == 2 })
    #expect(try await book.context(of: ada.account).state == .active)
    keeping.cancel()
    await keeping.value
  }

  @Test(arguments: [500, 3000])
  func `saved credentials do not log in instead`(_ age: Int) async throws {
    let (world, server, book) = try await TokenServer.stage()
    var options = LoginOptions()
    options.saveCredentials = true
    let ada = try await book.logIn(server.method(), options: options).account
    server.advance(age)
    server.settings.answer = HTTPReply(
      status: 400, body: Array(#"{"error":"invalid_grant"}"#.utf8))
    let kinds = try world.kinds()
    let keeping = Task { await book.keepSessionsRenewed() }
    if age < 600 {
      #expect(
        try await eventually { try await book.context(of: ada).renewalEnd == .refused })
    }
    // Some turns more.
    for _ in 0..<20 { await world.clock.pause(for: .seconds(1)) }
    #expect(try await book.context(of: ada).generation == 1)
    #expect(try !world.kinds().dropFirst(kinds.count).contains("login.started"))
    keeping.cancel()
    await keeping.value
  }
}
