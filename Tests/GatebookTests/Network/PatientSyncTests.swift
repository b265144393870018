import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// What automatic catching up leaves alone, and an explicit request does not.
@Suite struct PatientSyncTests {
  @Test func `sync never sends a token of unknown state a third time`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    world.portal.inject(.dropBeforeActing, on: .token, times: 2)
    world.world.clock.advance(by: .seconds(600))
    let call = try world.call()
    await expect(.networkUnreachable) { () throws(GatebookError) in
      _ = try await world.book.send(call)
    }
    await expect(.networkUnreachable) { () throws(GatebookError) in
      _ = try await world.book.renewNow(ada.account)
    }
    #expect(try await world.book.context(of: ada.account).state == .uncertain)
    let before = try world.kinds().count
    let report = try await world.book.sync(nil, isAsked: false)
    #expect(report.verified.isEmpty)
    #expect(report.failures.isEmpty)
    #expect(world.refreshTokensSent().count == 2)
    #expect(try world.kinds(after: before).isEmpty)
    #expect(try await world.book.context(of: ada.account).state == .uncertain)
    // The caller's error names the obstacle.
    #expect(try await world.book.sync().failures.map(\.error.code) == [.outcomeUnknown])
    #expect(world.refreshTokensSent().count == 2)
  }

  @Test func `a server in trouble is contacted before its time only on request`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    world.portal.inject(.status(503), on: .revoke)
    _ = try await world.book.logOut(ada.account)
    let sent = world.portal.requests(to: .revoke).count
    let report = try await world.book.sync(nil, isAsked: false)
    #expect(report.waiting == 1)
    #expect(world.portal.requests(to: .revoke).count == sent)
    #expect(try await world.book.sync().delivered == 1)
  }

  @Test func `who calls a sync off while it renews hears of it at once`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.method()).account
    _ = try await book.restore(ada)
    server.advance(600)
    await server.gate.shut()
    let sync = Task { () -> FailureCode? in
      do throws(GatebookError) {
        _ = try await book.sync()
        return nil
      } catch {
        return error.code
      }
    }
    await server.gate.arrival()
    sync.cancel()
    #expect(await sync.value == .cancelled)
    #expect(await book.isRenewing)
    await server.gate.open()
    #expect(try await eventually { await !book.isRenewing })
    #expect(try await book.token().value == Secret("acc-2"))
  }
}
