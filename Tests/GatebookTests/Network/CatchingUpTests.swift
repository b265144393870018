import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// What a book does automatically when the network is back.
@Suite(.timeLimit(.minutes(2))) struct CatchingUpTests {
  /// A book that stays open, with a network that a test switches, and Ada's session resumed.
  private struct Stage {
    let world: TestBook
    let server: BasicServer
    let network: ScriptedNetwork
    let clock = HeldClock()
    let book: SessionBook
    let ada: AccountID

    init(_ reach: NetworkReach = .everywhere) async throws {
      world = try TestBook()
      server = BasicServer()
      network = ScriptedNetwork(reach)
      book = try await world.open(
        server.transport, renewalPolicy: .inBackground, network: network, clock: clock)
      ada = try await book.logIn(.basic()).account
      _ = try await book.restore(ada)
    }

    /// Waits for the state that is not offline.
    func state() async -> SessionState? {
      for await context in book.contexts(of: ada) {
        guard case .offline = context.state else { return context.state }
      }
      return nil
    }
  }

  @Test func `sessions that were resumed are verified when the network is back`() async throws {
    let stage = try await Stage()
    let sent = stage.server.transport.requests.count
    stage.network.change(to: .nowhere)
    stage.network.change(to: .everywhere)
    let wait = try #require(await stage.clock.sleeper())
    #expect((.milliseconds(500)...(.seconds(2))).contains(wait))
    #expect(stage.server.transport.requests.count == sent)
    stage.clock.wakeAll()
    #expect(await stage.state() == .active)
    #expect(try stage.world.kinds().last == "session.verified")
    await stage.book.close()
  }

  @Test func `a network that reaches farther is back too`() async throws {
    let stage = try await Stage(.attached)
    stage.network.change(to: .everywhere)
    _ = await stage.clock.sleeper()
    stage.clock.wakeAll()
    #expect(await stage.state() == .active)
    await stage.book.close()
  }

  @Test func `a network that comes and goes is asked for once it stays`() async throws {
    let stage = try await Stage()
    let sent = stage.server.transport.requests.count
    for _ in 0..<3 {
      stage.network.change(to: .nowhere)
      stage.network.change(to: .everywhere)
    }
    for _ in 0..<3 { _ = await stage.clock.sleeper() }
    // The first two were woken by what came after them, and did nothing.
    #expect(stage.clock.sleeping == 1)
    stage.clock.wakeAll()
    #expect(await stage.state() == .active)
    #expect(stage.server.transport.requests.count == sent + 1)
    await stage.book.close()
  }

  @Test func `what waits for servers is delivered when the network is back`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    let network = ScriptedNetwork()
    let book = try await world.world.open(
      world.transport, renewalPolicy: .inBackground, network: network)
    world.portal.stop()
    #expect(try await book.logOut(ada.account).state == .ended(.user))
    // Each vain try makes our own back-off longer than the wait after the network is back.
    for _ in 0..<3 { #expect(try await book.sync().waiting == 1) }
    try world.portal.start()
    network.change(to: .nowhere)
    network.change(to: .everywhere)
    // The clock moves only by that wait: nothing else would be due.
    let isDelivered = try await eventually { try world.kinds().last == "revocation.succeeded" }
    #expect(isDelivered)
    await book.close()
  }

  @Test func `a program that ends after its work is not disturbed`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let network = ScriptedNetwork(.nowhere)
    let book = try await world.open(server.transport, network: network)
    let ada = try await book.logIn(.basic())
    _ = try await book.restore(ada.account)
    let sent = server.transport.requests.count
    network.change(to: .everywhere)
    await book.close()
    #expect(server.transport.requests.count == sent)
    // Nobody listened: what was said is there still.
    var told: [NetworkReach] = []
    for await reach in network.reaches() {
      told.append(reach)
      if told.count == 2 { break }
    }
    #expect(told == [.nowhere, .everywhere])
  }

  @Test func `a book that is closed while it waits for the network ends at once`() async throws {
    let stage = try await Stage()
    let sent = stage.server.transport.requests.count
    stage.network.change(to: .nowhere)
    stage.network.change(to: .everywhere)
    _ = await stage.clock.sleeper()
    await stage.book.close()
    #expect(stage.clock.sleeping == 0)
    #expect(stage.server.transport.requests.count == sent)
  }

  @Test func `the kernel's monitor ends with its listener`() async {
    for _ in 0..<50 {
      let listener = Task {
        var iterator = NetlinkMonitor().reaches().makeAsyncIterator()
        let first = await iterator.next()
        #expect(await iterator.next() == nil || first == nil)
      }
      listener.cancel()
      await listener.value
    }
  }
}
