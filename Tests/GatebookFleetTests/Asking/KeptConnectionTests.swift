import Gatebook
import Testing

@testable import GatebookFleet

/// The connection that a reader keeps between questions.
struct KeptConnectionTests {
  private func backends(_ fleet: TestFleet) throws -> [String] {
    try fleet.rows(
      """
      SELECT pid, state FROM pg_stat_activity
      WHERE datname = current_database() AND usename = 'auditor1' ORDER BY pid
      """)
  }

  @Test
  func `questions one after the other use one connection, without a transaction between them`()
    async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    let reader = FleetReader(try fleet.access(.auditor))
    #expect(try await reader.books().isEmpty)
    let first = try backends(fleet)
    #expect(first.count == 1)
    #expect(first.allSatisfy { $0.hasSuffix(",idle)") })
    // Each question sees what is there when it is asked.
    try await fleet.ship(book)
    #expect(try await reader.books().map(\.size) == [29])
    await #expect(throws: GatebookError.self) { try await reader.books(FleetScope(book: "other")) }
    #expect(try await reader.books().count == 1)
    try await wait(for: "end of the other connection") { try backends(fleet).count == 1 }
  }

  @Test func `a kept connection that broke is replaced`() async throws {
    let fleet = try await TestFleet()
    let reader = FleetReader(try fleet.access(.auditor))
    #expect(try await reader.books().isEmpty)
    try fleet.run(
      """
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND usename = 'auditor1'
      """)
    #expect(try await reader.books().isEmpty)
  }

  @Test func `questions at the same time have connections of their own`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    try await fleet.ship(book)
    let reader = FleetReader(try fleet.access(.auditor))
    try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<4 { group.addTask { try await reader.books().first?.size ?? 0 } }
      for try await size in group { #expect(size == 29) }
    }
    #expect(try await reader.books().count == 1)
  }
}
