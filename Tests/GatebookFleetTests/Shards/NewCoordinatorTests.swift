import Gatebook
import Testing

@testable import GatebookFleet

/// A coordinator that is made again from its servers.
@Suite struct NewCoordinatorTests {
  @Test func `a new coordinator finds all books where they are`() async throws {
    let fleet = try await ShardedFleet()
    let book = try await TestBook.written(events: 60)
    let other = try await TestBook.written(events: 30)
    for one in [book, other] { try await fleet.ship(one) }
    let move = try fleet.stagedMove(of: book)
    let third = try await FleetShards(of: try fleet.access(fleet.coordinator)).add(
      try fleet.access(fleet.servers[2]))
    try await fleet.move(move.part, to: move.names.target)
    let empty = (move.part + 1) % 64
    try await fleet.move(empty, to: third)
    // A move had closed it when the coordinator was lost.
    try fleet.run(
      "UPDATE gatebook.part SET state = 'closed' WHERE number = \(move.part)", on: move.target)

    try fleet.run("CREATE DATABASE again")
    let again = try fleet.coordinator.access(.admin, "again")
    let shards = try fleet.servers.reversed().map { try fleet.access($0) }
    let schema = try await FleetShards(of: again).create(on: shards)
    #expect(schema.former == 0)
    let servers = try await FleetShards(of: again).servers()
    #expect(servers.map(\.parts.count).reduce(0, +) == 64)
    let place = "127.0.0.1:\(fleet.servers[2].port)/postgres"
    #expect(servers.first { $0.parts.contains(empty) }?.place == place)
    let asked = try await FleetReader(again).books().map { "\($0.id) \($0.size)" }
    let expected = try [book, other].map { "\(try $0.reader().id) \(try $0.reader().head().size)" }
    #expect(asked.sorted() == expected.sorted())
    for one in [book, other] {
      try await one.grow(by: 10)
      let report = try await BookShipment(
        of: one.path, key: one.key, to: try fleet.coordinator.access(.shipper, "again"),
        options: ShipmentOptions()
      ).ship()
      #expect(report.events == 10)
    }
    #expect(try await FleetVerifier(again).verify().ok)
  }

  @Test func `a part on two servers is refused until one of them drops it`() async throws {
    let fleet = try await ShardedFleet()
    let book = try await TestBook.written(events: 60)
    try await fleet.ship(book)
    let move = try fleet.stagedMove(of: book)
    try fleet.run(
      """
      SET ROLE gatebook_owner; SELECT gatebook.make_part(\(move.part));
      UPDATE gatebook.part SET state = 'closed' WHERE number = \(move.part);
      """, on: move.target)
    try fleet.run("CREATE DATABASE again")
    let again = try fleet.coordinator.access(.admin, "again")
    let shards = try fleet.servers.prefix(2).map { try fleet.access($0) }
    let error = await expect(.fleetMismatch) { () throws(GatebookError) in
      _ = try await FleetShards(of: again).create(on: shards)
    }
    for server in fleet.servers.prefix(2) {
      #expect(error?.message.contains("127.0.0.1:\(server.port)/postgres") == true)
    }
    let command = try #require(
      error?.remedy.split(separator: "`").first { $0.contains("drop_part") })
    #expect(command.contains("postgresql://127.0.0.1:\(move.target.port)/postgres"))
    let script = try #require(command.split(separator: "\"").first { $0.contains("drop_part") })
    try fleet.run(String(script), on: move.target)
    _ = try await FleetShards(of: again).create(on: shards)
    let servers = try await FleetShards(of: again).servers()
    #expect(servers.map(\.parts.count) == [32, 32])
    #expect(try await FleetReader(again).books().map(\.size) == [69])
  }

  @Test func `a fleet is brought up to date with all of its servers`() async throws {
    let fleet = try await ShardedFleet()
    let coordinator = try fleet.access(fleet.coordinator)
    _ = try await FleetShards(of: coordinator).add(try fleet.access(fleet.servers[2]))
    let error = await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await FleetShards(of: coordinator).create(
        on: [try fleet.access(fleet.servers[0]), try fleet.access(fleet.servers[1])])
    }
    #expect(error?.message.contains("127.0.0.1:\(fleet.servers[2].port)/postgres") == true)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await FleetSchema.create(at: coordinator)
    }
    let schema = try await FleetShards(of: coordinator).create(
      on: try fleet.servers.map { try fleet.access($0) })
    #expect(schema.former == schema.version)
  }
}
