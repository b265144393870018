import Gatebook
import Testing

@testable import GatebookFleet

/// What moves that were killed leave, and what later moves do with it.
@Suite struct InterruptedMoveTests {
  /// Kills a move after its switch, while a question on the source keeps it from dropping its copy.
  private func killAfterSwitch(_ fleet: ShardedFleet, _ move: StagedMove) async throws {
    let held = try fleet.hold(on: move.source)
    let process = try fleet.startMove(move.part, to: move.names.target)
    try await wait(for: "switch") {
      try fleet.value(
        "SELECT server = '\(move.names.target)' FROM gatebook.part "
          + "WHERE number = \(move.part)") == "true"
    }
    process.kill()
    try held.run("ROLLBACK")
    #expect(try fleet.rows(about: move.part, on: move.source) == "1")
  }

  @Test func `a move back does not use the copy that a killed move left`() async throws {
    let fleet = try await ShardedFleet()
    let book = try await TestBook.written(events: 60)
    try await fleet.ship(book)
    let move = try fleet.stagedMove(of: book)
    try await killAfterSwitch(fleet, move)
    try await book.grow(by: 20)
    try await fleet.ship(book)
    try await fleet.move(move.part, to: move.names.source)
    try fleet.expectHas(book)
    #expect(try fleet.rows(about: move.part, on: move.target) == "0")
    try await book.grow(by: 5)
    try await fleet.ship(book)
    try fleet.expectHas(book)
  }

  @Test func `the same command removes the copy that a killed move left`() async throws {
    let fleet = try await ShardedFleet()
    let book = try await TestBook.written(events: 60)
    try await fleet.ship(book)
    let move = try fleet.stagedMove(of: book)
    try await killAfterSwitch(fleet, move)
    try await fleet.move(move.part, to: move.names.target)
    #expect(try fleet.rows(about: move.part, on: move.source) == "0")
    #expect(
      try fleet.value("SELECT to_regclass('gatebook_part.event_\(move.part)')", on: move.source)
        == nil)
    try fleet.expectHas(book)
    // An empty part that nobody placed: `fleet init` made it, and then it was killed.
    try fleet.run(
      "SET ROLE gatebook_owner; SELECT gatebook.make_part(\(move.part))", on: move.source)
    try await fleet.move(move.part, to: move.names.source)
    try fleet.expectHas(book)
    try await book.grow(by: 5)
    try await fleet.ship(book)
    try fleet.expectHas(book)
  }

  @Test func `a part that is open on its new server moves to no other one before the switch`()
    async throws
  {
    let fleet = try await ShardedFleet()
    let book = try await TestBook.written(events: 60)
    try await fleet.ship(book)
    let move = try fleet.stagedMove(of: book)
    let third = try await FleetShards(of: try fleet.access(fleet.coordinator)).add(
      try fleet.access(fleet.servers[2]))
    // The last rows wait until a question keeps the switch waiting.
    let rows = try fleet.hold(
      "gatebook_part.total_\(move.part)", in: "ACCESS EXCLUSIVE", on: move.source)
    let process = try fleet.startMove(move.part, to: move.names.target)
    try await wait(for: "closed part") {
      try fleet.value("SELECT state FROM gatebook.part WHERE number = \(move.part)") == "closed"
    }
    let held = try fleet.hold(on: fleet.coordinator)
    try rows.run("ROLLBACK")
    try await wait(for: "open part on the target") {
      try fleet.rows(about: move.part, on: move.target) == "1"
    }
    let busy = await expect(.fleetUnreachable) { () throws(GatebookError) in
      try await fleet.move(move.part, to: third)
    }
    #expect(busy?.message == "Another command moves part \(move.part) now.")
    process.kill()
    try held.run("ROLLBACK")
    let refused = await expect(.configurationInvalid) { () throws(GatebookError) in
      try await fleet.move(move.part, to: third)
    }
    #expect(
      refused?.remedy.contains(
        "gatebook fleet shards move --server \(move.names.target) --part \(move.part)") == true,
      "\(refused.debugDescription)")
    #expect(try fleet.rows(about: move.part, on: fleet.servers[2]) == "0")
    try await fleet.move(move.part, to: move.names.target)
    try fleet.expectHas(book)
    try await fleet.move(move.part, to: third)
    try await book.grow(by: 5)
    try await fleet.ship(book)
    try fleet.expectHas(book)
    for server in fleet.servers.prefix(2) {
      #expect(try fleet.rows(about: move.part, on: server) == "0")
    }
  }
}
