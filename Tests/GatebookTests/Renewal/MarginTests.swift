import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// Soft and hard margins, and what serves while a renewal fails.
@Suite struct MarginTests {
  @Test func `from 80 % on the old token serves while one renewal runs beside it`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    let book = try await world.world.open(world.transport, renewalPolicy: .inBackground)
    world.portal.inject(.stallBeforeActing, on: .token)
    world.world.clock.advance(by: .seconds(480))
    let sent = world.portal.requests(to: .token).count
    for _ in 0..<3 { #expect(try await book.send(world.call(), as: ada.account).status == 200) }
    _ = await world.portal.requests(atLeast: 1)
    #expect(try await book.context(of: ada.account).generation == 1)
    world.portal.stop()
    try world.portal.start()
    await book.settleRenewals()
    #expect(world.portal.requests(to: .token).count - sent <= 2)
  }

  @Test func `close waits for the renewal under way`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    let book = try await world.world.open(world.transport, renewalPolicy: .inBackground)
    world.world.clock.advance(by: .seconds(480))
    #expect(try await book.send(world.call(), as: ada.account).status == 200)
    await book.close()
    #expect(try await world.book.context(of: ada.account).generation == 2)
  }

  @Test func `with less than a tenth left requests wait`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    let book = try await world.world.open(world.transport, renewalPolicy: .inBackground)
    world.world.clock.advance(by: .seconds(541))
    #expect(try await book.send(world.call(), as: ada.account).status == 200)
    #expect(try await book.context(of: ada.account).generation == 2)
  }

  @Test func `a server in trouble is left alone between tries, and for as long as it asks`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    world.portal.inject(.status(503, retryAfter: 30), on: .token, times: nil)
    world.world.clock.advance(by: .seconds(480))
    for _ in 0..<5 { #expect(try await world.book.send(world.call()).status == 200) }
    #expect(world.refreshTokensSent().count == 1)
    world.world.clock.advance(by: .seconds(30))
    #expect(try await world.book.send(world.call()).status == 200)
    #expect(world.refreshTokensSent().count == 2)
    #expect(try await world.book.context(of: ada.account).state == .active)
  }

  @Test func `a server that asked for time gets it even when the token is over`() async throws {
    let world = try await PortalWorld()
    _ = try await world.logIn(.oauth2Password)
    world.portal.inject(.status(429, retryAfter: 30), on: .token)
    world.world.clock.advance(by: .seconds(600))
    let call = try world.call()
    for _ in 0..<3 {
      await expect(.serverUnavailable) { () throws(GatebookError) in
        _ = try await world.book.send(call)
      }
    }
    #expect(world.refreshTokensSent().count == 1)
    world.world.clock.advance(by: .seconds(30))
    #expect(try await world.book.send(call).status == 200)
  }

  @Test func `a server that is down holds nobody up, however often it was`() async throws {
    let world = try await PortalWorld()
    _ = try await world.logIn(.oauth2Password)
    world.portal.stop()
    world.world.clock.advance(by: .seconds(600))
    for _ in 0..<8 {
      // This clock moves by what somebody sleeps.
      let begun = world.world.clock.now().boot
      await expect(.networkUnreachable) { () throws(GatebookError) in
        _ = try await world.book.token()
      }
      #expect(world.world.clock.now().boot - begun < .seconds(2))
    }
    let started = try world.world.kinds().filter { $0 == "refresh.started" }
    #expect(started.count == 24)
  }

  @Test func `a cancelled caller waits no longer, and the renewal continues`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    _ = try await book.logIn(server.method())
    world.clock.advance(by: .seconds(3600))
    await server.gate.shut()
    let caller = Task { () async -> FailureCode? in
      do throws(GatebookError) {
        _ = try await book.token()
        return nil
      } catch {
        return error.code
      }
    }
    await server.gate.arrival()
    caller.cancel()
    #expect(await caller.value == .cancelled)
    await server.gate.open()
    _ = try await book.token()
    #expect(server.refreshTokensSent.count == 1)
  }

  @Test func `who meets a 401 meanwhile does not ask a server that wants to be left alone`()
    async throws
  {
    let world = try await PortalWorld()
    _ = try await world.logIn(.oauth2Password)
    world.portal.endAccess()
    world.portal.inject(.status(429, retryAfter: 30), on: .token)
    let call = try world.call()
    for _ in 1...3 {
      await expect(.serverUnavailable) { () throws(GatebookError) in
        _ = try await world.book.send(call)
      }
    }
    #expect(world.refreshTokensSent().count == 1)
    world.world.clock.advance(by: .seconds(30))
    #expect(try await world.book.send(call).status == 200)
  }

  @Test func `a wall clock that was set back does not lengthen a wait of the server`() async throws
  {
    let world = try await PortalWorld()
    _ = try await world.logIn(.oauth2Password)
    world.portal.inject(.status(503, retryAfter: 30), on: .token)
    world.world.clock.advance(by: .seconds(600))
    let call = try world.call()
    await expect(.serverUnavailable) { () throws(GatebookError) in
      _ = try await world.book.send(call)
    }
    world.world.clock.jump(by: .seconds(-3600))
    world.world.clock.advance(by: .seconds(30))
    #expect(try await world.book.send(call).status == 200)
  }
}
