import Gatebook
import GatebookTestSupport
import Glibc
import Testing

@Suite struct ReadOnlyBookTests {
  /// A book whose lock cannot be had, as on media that cannot be written.
  private func locked(_ world: TestBook) {
    unlink("\(world.path)-lock")
    mkdir("\(world.path)-lock", 0o700)
  }

  @Test func `a restore that cannot be written still brings the context, marked so`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let first = try await world.open(server.transport)
    let ada = try await first.logIn(.basic())
    await first.close()
    locked(world)
    defer { rmdir("\(world.path)-lock") }
    let book = try await world.open(server.transport)
    let restored = try await book.restore(ada.account)
    #expect(restored.state == .offline(lastVerified: ada.since))
    #expect(!restored.isRecorded)
    #expect(try await book.accounts().map(\.account) == [ada.account])
  }

  @Test func `what would write says why it cannot`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let first = try await world.open(server.transport)
    let ada = try await first.logIn(.basic())
    await first.close()
    locked(world)
    defer { rmdir("\(world.path)-lock") }
    let book = try await world.open(server.transport)
    let count = server.transport.requests.count
    for attempt in [
      { _ = try await book.logIn(.basic()) }, { _ = try await book.logOut(ada.account) },
      { _ = try await book.rename(ada.account, to: "work") },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: GatebookError.self) { try await attempt() }
      #expect(error?.code == .storageReadOnly)
    }
    #expect(server.transport.requests.count == count)
  }

  @Test func `a book that is not there is not opened for reading instead`() async throws {
    let world = try TestBook()
    locked(world)
    defer { rmdir("\(world.path)-lock") }
    let error = await #expect(throws: GatebookError.self) {
      try await world.open(BasicServer().transport)
    }
    #expect(error?.code == .storageReadOnly)
    unlink(world.path)
  }
}
