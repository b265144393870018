import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Rule 3: a process that does not return with its answer keeps its lock, and stops nobody who can
/// continue.
@Suite struct FrozenHolderTests {
  @Test func `past the wait the token that lives serves, and without one the book is busy`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    // So late an answer has lost ten minutes of its life.
    world.portal.switches.accessTokenLifetime = .seconds(3600)
    let gate = Gate(isOpen: false)
    let holder = try await world.world.open(LateTokens(transport: world.transport, gate: gate))
    let other = try await SessionBook.open(
      at: world.world.path, key: KeyFile(path: world.world.keyPath),
      program: Program(
        name: "tests", version: "1", installation: InstallationID(high: 1, low: 2)),
      transport: world.transport, clock: world.world.clock, wait: .zero,
      renewalPolicy: .beforeUse)
    let old = try await other.token().value
    let before = try world.kinds().count
    let renewal = Task {
      _ = try? await holder.renewNow(ada.account)
      await gate.open()
    }
    await gate.arrival()
    // Due, then urgent, then over.
    for passed in [480, 115] {
      world.world.clock.advance(by: .seconds(passed))
      #expect(try await other.token().value == old)
    }
    world.world.clock.advance(by: .seconds(5))
    await expect(.storageBusy) { () throws(GatebookError) in _ = try await other.token() }
    #expect(try world.kinds(after: before) == ["refresh.started"])
    #expect(try await other.context(of: ada.account).state == .active)
    await gate.open()
    await renewal.value
    let new = try await other.token().value
    #expect(new != old)
    #expect(try world.kinds(after: before) == ["refresh.started", "refresh.succeeded"])
    #expect(world.refreshTokensSent().count == 1)
  }
}
