import Gatebook
import Testing

@testable import GatebookFleet

/// Moves that wait for others, that fail, and that are cancelled.
@Suite struct FailingMoveTests {
  /// The state of a part, and where it moves to.
  private func state(_ fleet: ShardedFleet, _ move: StagedMove) throws -> [String?] {
    let question =
      "SELECT concat_ws(' ', state, target) FROM gatebook.part "
      + "WHERE number = \(move.part)"
    return try [
      fleet.value(question), fleet.value(question + " AND server IS NULL", on: move.source),
    ]
  }

  @Test func `questions and shippers continue while a move waits for a long question`()
    async throws
  {
    let fleet = try await ShardedFleet()
    let book = try await TestBook.written(events: 60)
    try await fleet.ship(book)
    let move = try fleet.stagedMove(of: book)
    var other = try await TestBook.written(events: 20)
    while try fleet.part(of: other) == move.part { other = try await TestBook.written(events: 20) }
    let held = try fleet.hold(on: fleet.coordinator)
    let process = try fleet.startMove(move.part, to: move.names.target)
    let isWaiting = """
      SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE 'LOCK TABLE ONLY%'
        OR query LIKE 'SELECT pg_sleep%')
      """
    try await wait(for: "move that waits") { try fleet.value(isWaiting) == "true" }
    let asking = try fleet.hold("gatebook.server", on: fleet.coordinator)
    try asking.run("SET LOCAL statement_timeout = '15s'")
    for _ in 0..<4 {
      try asking.run("SELECT count(*) FROM gatebook.branch")
      try asking.run("COMMIT")
      for one in [book, other] {
        try await fleet.ship(one)
        try await one.grow(by: 5)
      }
      try asking.run("BEGIN")
      try asking.run("SET LOCAL statement_timeout = '15s'")
    }
    try asking.run("ROLLBACK")
    #expect(process.isRunning, "\(process.errors)")
    try held.run("ROLLBACK")
    let ending = process.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    try await fleet.ship(book)
    try fleet.expectHas(book)
  }

  @Test func `a part is open again after its move failed or was cancelled`() async throws {
    let fleet = try await ShardedFleet()
    let book = try await TestBook.written(events: 60)
    try await fleet.ship(book)
    let move = try fleet.stagedMove(of: book)
    let table = "gatebook_part.total_\(move.part)"
    try fleet.run("ALTER TABLE \(table) RENAME TO total_away", on: move.source)
    await expect(.fleetMissing) { () throws(GatebookError) in
      try await fleet.move(move.part, to: move.names.target)
    }
    #expect(try state(fleet, move) == ["open", "open"])
    try fleet.run(
      "ALTER TABLE gatebook_part.total_away RENAME TO total_\(move.part)", on: move.source)
    let held = try fleet.hold(table, in: "ACCESS EXCLUSIVE", on: move.source)
    let moving = Task { () async throws in
      try await fleet.move(move.part, to: move.names.target)
    }
    try await wait(for: "closed part") {
      try state(fleet, move) == ["closed \(move.names.target)", "closed"]
    }
    moving.cancel()
    let error = await #expect(throws: GatebookError.self) { try await moving.value }
    #expect(error?.code == .cancelled)
    #expect(try state(fleet, move) == ["open", "open"])
    try held.run("ROLLBACK")
    try await book.grow(by: 5)
    try await fleet.ship(book)
    // Times are compared as text, and servers can be in other time zones.
    try fleet.run("ALTER ROLE gatebook_admin SET timezone = 'Asia/Tokyo'", on: move.target)
    try await fleet.move(move.part, to: move.names.target)
    try fleet.expectHas(book)
  }

  @Test func `a part that others have opened meanwhile is not dropped`() async throws {
    let fleet = try await ShardedFleet()
    let book = try await TestBook.written(events: 60)
    try await fleet.ship(book)
    let move = try fleet.stagedMove(of: book)
    // What a coordinator of an old backup says: another one has moved the part since.
    try fleet.run(
      "UPDATE gatebook.part SET state = 'closed' WHERE number = \(move.part)", on: move.source)
    let error = await expect(.fleetMismatch) { () throws(GatebookError) in
      try await fleet.move(move.part, to: move.names.target)
    }
    #expect(error?.message.contains(move.names.source) == true, "\(error.debugDescription)")
    #expect(try fleet.rows(about: move.part, on: move.source) == "1")
    #expect(try fleet.rows(about: move.part, on: move.target) == "0")
  }

  @Test func `a statement whose answer does not come is cancelled on the server`() async throws {
    let fleet = try await TestFleet()
    let holder = try fleet.connect()
    try holder.run("BEGIN")
    try holder.run("LOCK TABLE gatebook.fleet IN ACCESS EXCLUSIVE MODE")
    let waiting = try fleet.connect()
    let process = try waiting.run("SELECT pg_backend_pid()").first?.integer(0) ?? 0
    waiting.postgres.patience = .milliseconds(500)
    await expect(.fleetUnreachable) { () throws(GatebookError) in
      try waiting.run("SELECT version FROM gatebook.fleet")
    }
    try await wait(for: "end of the statement", limit: .seconds(10)) {
      try fleet.value(
        "SELECT count(*) FROM pg_stat_activity WHERE pid = \(process) AND wait_event_type = 'Lock'")
        == "0"
    }
    try holder.run("ROLLBACK")
    withExtendedLifetime(waiting) {}
  }

  @Test func `a book is not handed over while its part moves`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    try await fleet.ship(book)
    try fleet.run("UPDATE gatebook.part SET state = 'closed'")
    let error = await expect(.fleetUnreachable) { () throws(GatebookError) in
      _ = try await FleetOwnership.grant("laptop", to: "lap2", at: try fleet.access(.owner))
    }
    #expect(error?.message.contains("moving to another server") == true)
    #expect(try fleet.value("SELECT owner FROM gatebook.branch") == "lap1")
    try fleet.run("UPDATE gatebook.part SET state = 'open'")
    _ = try await FleetOwnership.grant("laptop", to: "lap2", at: try fleet.access(.owner))
    #expect(try fleet.value("SELECT owner FROM gatebook.branch") == "lap2")
  }
}
