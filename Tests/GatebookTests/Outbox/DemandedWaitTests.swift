import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// How long what waits for a server waits on where the server named a time (`Retry-After`).
@Suite struct DemandedWaitTests {
  private let world: PortalWorld
  private let ada: SessionContext

  init() async throws {
    world = try await PortalWorld()
    ada = try await world.logInRevocably()
  }

  private var revocations: Int { world.portal.requests(to: .revoke).count }

  private func last() async throws -> RecordedEvent {
    try #require(try await world.book.events(after: .start).last { $0.kind != "revocation.queued" })
  }

  @Test(arguments: [429, 503])
  func `asking by hand does not shorten what a server demanded`(_ status: Int) async throws {
    world.portal.inject(.status(status, retryAfter: 3600), on: .revoke, times: nil)
    _ = try await world.book.logOut(ada.account)
    let until = world.world.clock.now().wall + .seconds(3600)
    #expect(try await last().data["demandedWait"] == 3_600_000_000)
    world.portal.clearFaults()
    let sent = revocations
    // Another process, later.
    let later = try await world.world.open(world.transport)
    world.world.clock.advance(by: .seconds(3599))
    var report = try await later.sync()
    #expect(report.waiting == 1)
    #expect(report.demandedUntil == until)
    #expect(revocations == sent)
    world.world.clock.advance(by: .seconds(1))
    report = try await later.sync()
    #expect(report.delivered == 1)
    #expect(report.demandedUntil == nil)
  }

  @Test func `a later try's demand counts like the first one's`() async throws {
    world.portal.stop()
    _ = try await world.book.logOut(ada.account)
    try world.portal.start()
    world.portal.inject(.status(503, retryAfter: 600), on: .revoke)
    let sent = revocations
    #expect(try await world.book.sync().demandedUntil != nil)
    #expect(try await world.book.sync().waiting == 1)
    #expect(revocations == sent + 1)
    world.world.clock.advance(by: .seconds(600))
    #expect(try await world.book.sync().delivered == 1)
  }

  @Test func `our own back-off is skipped by hand, also beyond a short demand`() async throws {
    world.portal.inject(.status(503), on: .revoke, times: 2)
    _ = try await world.book.logOut(ada.account)
    let sent = revocations
    var report = try await world.book.sync()
    #expect(revocations == sent + 1)
    #expect(report.waiting == 1)
    #expect(report.demandedUntil == nil)
    world.portal.clearFaults()
    world.portal.inject(.status(503, retryAfter: 1), on: .revoke)
    report = try await world.book.sync()
    #expect(report.demandedUntil == world.world.clock.now().wall + .seconds(1))
    world.world.clock.advance(by: .seconds(1))
    #expect(try await world.book.sync().delivered == 1)
  }

  @Test func `nobody is left alone for more than a day`() async throws {
    world.portal.inject(.status(503, retryAfter: 31_536_000), on: .revoke)
    _ = try await world.book.logOut(ada.account)
    #expect(try await last().data["demandedWait"] == 86_400_000_000)
    #expect(try await last().data["retryAfter"] == 86_400_000_000)
    world.world.clock.advance(by: .seconds(86_400))
    await world.book.deliverOutbox(within: .seconds(10))
    #expect(try world.kinds().last == "revocation.succeeded")
  }

  @Test func `a clock that was set back does not prolong it`() async throws {
    world.portal.inject(.status(503, retryAfter: 3600), on: .revoke)
    _ = try await world.book.logOut(ada.account)
    world.world.clock.jump(by: .seconds(-7200))
    #expect(try await world.book.sync().delivered == 1)
  }

  @Test func `a fold of the log from its start knows of it too`() async throws {
    world.portal.inject(.status(503, retryAfter: 3600), on: .revoke)
    _ = try await world.book.logOut(ada.account)
    _ = try await world.book.rebuild()
    #expect(try await world.book.sync().waiting == 1)
  }
}
