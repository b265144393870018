import Gatebook
import Testing

@testable import GatebookFleet

/// Batches that are put into the book before they are counted, by hand.
struct PrepareTests {
  private func begun() async throws -> TestFleet {
    let fleet = try await TestFleet()
    try fleet.beginByHand()
    #expect(try fleet.accept([StagedEvent(1), StagedEvent(2)], upTo: 2) == "(taken,0)")
    return fleet
  }

  private func expectUnchanged(
    _ fleet: TestFleet, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(
      try fleet.rows("SELECT size, withheld, first_at, last_at FROM gatebook.branch")
        == ["(2,0,5,5)"], sourceLocation: sourceLocation)
    #expect(
      try fleet.rows("SELECT position FROM gatebook.event ORDER BY 1") == ["(1)", "(2)"],
      sourceLocation: sourceLocation)
    #expect(
      try fleet.rows("SELECT events FROM gatebook.tally") == ["(2)"],
      sourceLocation: sourceLocation)
    for table in ["staging", "prepared"] {
      #expect(
        try fleet.value("SELECT count(*) FROM gatebook.\(table)") == "0",
        sourceLocation: sourceLocation)
    }
  }

  /// Expects that a transaction with a prepared batch cannot be committed.
  private func expectNoCommit(
    _ connection: FleetConnection, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(throws: GatebookError.self, sourceLocation: sourceLocation) {
      try connection.run("COMMIT")
    }
  }

  @Test func `two batches are prepared at once and accepted in their order`() async throws {
    let fleet = try await begun()
    let (first, second) = (try fleet.connect(.shipper), try fleet.connect(.shipper))
    try fleet.stage([StagedEvent(5), StagedEvent(6)], second)
    try fleet.prepare(after: 4, upTo: 6, second)
    try fleet.stage([StagedEvent(3), StagedEvent(4)], first)
    try fleet.prepare(after: 2, upTo: 4, first)
    #expect(try fleet.accept(upTo: 4, first) == "(taken,2)")
    try first.run("COMMIT")
    #expect(try fleet.accept(upTo: 6, second) == "(taken,4)")
    try second.run("COMMIT")
    #expect(
      try fleet.rows("SELECT size, first_at, last_at FROM gatebook.branch") == ["(6,5,5)"])
    #expect(try fleet.rows("SELECT position FROM gatebook.event").count == 6)
    #expect(try fleet.rows("SELECT events FROM gatebook.tally") == ["(6)"])
    #expect(try fleet.rows("SELECT events FROM gatebook.total") == ["(6)"])
    #expect(try fleet.value("SELECT count(*) FROM gatebook.prepared") == "0")
  }

  @Test func `a prepared batch that was not accepted cannot be committed`() async throws {
    let fleet = try await begun()
    let connection = try fleet.connect(.shipper)
    try fleet.stage([StagedEvent(3)], connection)
    try fleet.prepare(after: 2, upTo: 3, connection)
    try expectNoCommit(connection)
    try expectUnchanged(fleet)
    // Nor where the check is asked for earlier.
    try fleet.stage([StagedEvent(3)], connection)
    try fleet.prepare(after: 2, upTo: 3, connection)
    #expect(throws: GatebookError.self) { try connection.run("SET CONSTRAINTS ALL IMMEDIATE") }
    try connection.run("ROLLBACK")
    try expectUnchanged(fleet)
    #expect(try fleet.accept([StagedEvent(3)], upTo: 3) == "(taken,2)")
  }

  @Test func `a prepared batch that does not follow the last event has to be repeated`()
    async throws
  {
    let fleet = try await begun()
    for (event, after, root) in [(3, 2, "NULL"), (4, 3, "NULL"), (4, 2, "NULL")] {
      let connection = try fleet.connect(.shipper)
      try fleet.stage([StagedEvent(Int64(event))], connection)
      try fleet.prepare(after: Int64(after), upTo: Int64(event), connection)
      let last = event == 3 ? 5 : Int64(event)
      #expect(try fleet.accept(upTo: last, root: root, connection)?.hasPrefix("(repeat,") == true)
      try expectNoCommit(connection)
      try expectUnchanged(fleet)
    }
    #expect(try fleet.rows("SELECT code FROM gatebook.notice").isEmpty)
  }

  @Test func `a batch that does not fit is not prepared, and then refused`() async throws {
    var leaf = StagedEvent(3)
    leaf.leaf = "sha256('wrong')"
    for (events, last, verdict) in [
      ([leaf], 3, "(leaf,3)"), ([StagedEvent(2, data: "{\"a\":1}")], 2, "(differs,2)"),
      ([StagedEvent(3), StagedEvent(3, data: "{\"a\":1}")], 3, "(form,3)"),
    ] as [([StagedEvent], Int64, String)] {
      let fleet = try await begun()
      let connection = try fleet.connect(.shipper)
      try fleet.stage(events, connection)
      try fleet.prepare(after: events[0].position - 1, upTo: last, connection)
      #expect(try fleet.accept(upTo: last, connection) == verdict)
      try connection.run("COMMIT")
      try expectUnchanged(fleet)
      #expect(try fleet.rows("SELECT code FROM gatebook.notice").count == 1)
    }
  }

  @Test func `a role that does not own the book prepares nothing`() async throws {
    let fleet = try await begun()
    let connection = try fleet.connect(.secondShipper)
    try fleet.stage([StagedEvent(3)], connection)
    try fleet.prepare(after: 2, upTo: 3, connection)
    #expect(try fleet.accept(upTo: 3, connection) == "(owner,)")
    try connection.run("COMMIT")
    try expectUnchanged(fleet)
  }

  @Test func `a shipper whose book is handed over between its batches takes them back`()
    async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 9000)
    let halt = try Halt(fleet, when: "INSERT", into: "prepared")
    let shipment = Task { try await fleet.ship(book) }
    try await halt.wait()
    try fleet.run("UPDATE gatebook.branch SET owner = 'lap2'")
    try await halt.end()
    let error = await #expect(throws: GatebookError.self) { try await shipment.value }
    #expect(error?.code == .fleetRefused)
    #expect(try fleet.value("SELECT count(*) FROM gatebook.event") == "0")
    try fleet.run("UPDATE gatebook.branch SET owner = 'lap1'")
    try await fleet.ship(book)
    try fleet.expectHas(book)
  }
}
