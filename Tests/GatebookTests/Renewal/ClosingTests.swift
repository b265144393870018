import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// A book that is closed while servers are asked.
@Suite struct ClosingTests {
  @Test func `what is under way is waited for, and nothing new begins`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    let ben = try await world.logIn(.oauth2Password, .ben)
    world.world.clock.advance(by: .seconds(600))
    let gate = Gate(isOpen: false)
    let book = try await world.world.open(LateTokens(transport: world.transport, gate: gate))
    let renewal = Task { try await book.renewNow(ada.account) }
    await gate.arrival()
    let closing = Task { await book.close() }
    #expect(try await eventually { await book.isClosing })
    await expect(.storageUnreadable) { () throws(GatebookError) in
      _ = try await book.token(for: ben.account)
    }
    await gate.open()
    #expect(try await renewal.value)
    await closing.value
    #expect(world.refreshTokensSent().count == 1)
    #expect(try world.kinds().count { $0 == "refresh.started" } == 1)
    for account in [ada.account, ben.account] {
      #expect(try await world.book.send(world.call(), as: account).status == 200)
    }
  }

  @Test func `who waits for another process sends nothing once its book is closed`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let holder = try await world.open(server.transport)
    let ada = try await holder.logIn(server.method()).account
    let book = try await world.open(server.transport(isGated: false))
    await server.gate.shut()
    let held = Task { try await holder.renewNow(ada) }
    await server.gate.arrival()
    let waiting = Task { try await book.renewNow(ada) }
    #expect(try await eventually { await book.isRenewing })
    #expect(await book.renewing.isEmpty)
    // Not by the clock of the wait, which is stopped.
    await book.close()
    await #expect(throws: GatebookError.self) { try await waiting.value }
    #expect(server.refreshTokensSent.isEmpty)
    await server.gate.open()
    #expect(try await held.value)
    #expect(server.refreshTokensSent.count == 1)
  }

  @Test func `who writes what was held meanwhile leaves the file to answers that are to come`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    let ben = try await world.logIn(.oauth2Password, .ben)
    world.world.clock.advance(by: .seconds(600))
    let gate = Gate(isOpen: false)
    let hold = WriterHold(world.world)
    let book = try await world.world.open(
      SecondHeld(transport: world.transport, gate: gate, hold: hold), wait: .milliseconds(50))
    let renewal = Task { try await book.renewNow(ben.account) }
    await gate.arrival()
    #expect(try await !book.token(for: ada.account).isRecorded)
    let closing = Task { await book.close() }
    #expect(try await eventually { await book.isClosing })
    hold.release()
    #expect(try await eventually { await !book.isHolding })
    await gate.open()
    #expect(try await renewal.value)
    await closing.value
    // Else what was granted is lost, and its lock held for good.
    try #require(try world.kinds().count { $0 == "refresh.succeeded" } == 2)
    for account in [ada.account, ben.account] {
      #expect(try await world.book.send(world.call(), as: account).status == 200)
    }
  }
}

/// Lets the first answer of the token endpoint through when a gate opens; each other finds the book
/// held by another process.
private struct SecondHeld: Transport {
  let transport: CurlTransport
  let gate: Gate
  let hold: WriterHold
  private let isFirst = TestBox(true)

  init(transport: CurlTransport, gate: Gate, hold: WriterHold) {
    self.transport = transport
    self.gate = gate
    self.hold = hold
  }

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    let reply = try await transport.send(request, through: route)
    guard request.url.target.hasSuffix("/oauth2/token") else { return reply }
    let waits = isFirst.withLock { isFirst in
      defer { isFirst = false }
      return isFirst
    }
    if waits { await gate.pass() } else { hold.take() }
    return reply
  }
}
