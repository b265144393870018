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
}
