import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// A process that died after its refresh token may have left: every reader says so at once.
@Suite struct OrphanedRenewalTests {
  @Test func `the session is uncertain for every reader, and nobody has to write that first`()
    async throws
  {
    let (world, server, book) = try await TokenServer.stage()
    let ada = try await book.logIn(server.method()).account
    try await book.leaveIntent(of: ada)
    let before = try world.kinds()
    let reader = try BookReader.open(at: world.path)
    let now = world.clock.now()
    #expect(try await book.context(of: ada).state == .uncertain)
    #expect(try await book.context(of: ada).isRecorded == false)
    #expect(try await book.accounts().map(\.state) == [.uncertain])
    #expect(try await book.currentContext()?.state == .uncertain)
    #expect(try reader.accounts(at: now).map(\.state) == [.uncertain])
    #expect(try reader.context(of: ada, at: now)?.state == .uncertain)
    #expect(try world.kinds() == before)
    #expect(try await book.restore(ada).state == .uncertain)
    #expect(try await book.sync().verified == [ada])
    #expect(server.tokenRequests == 1)
  }

  @Test func `while the process lives it is not`() async throws {
    let (world, server, book) = try await TokenServer.stage()
    let ada = try await book.logIn(server.method()).account
    let other = try await world.open(server.transport)
    await server.gate.shut()
    let renewal = Task { try? await book.renewNow(ada) }
    await server.gate.arrival()
    for book in [book, other] { #expect(try await book.context(of: ada).state == .active) }
    await server.gate.open()
    #expect(await renewal.value == true)
    #expect(try await other.context(of: ada).state == .active)
  }
}
