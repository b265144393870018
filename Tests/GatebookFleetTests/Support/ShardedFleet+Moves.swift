import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

/// A move of the part of a book from one of the first two servers to the other one.
struct StagedMove {
  let part: Int
  let source: FleetServer
  let target: FleetServer
  /// The names of the servers in the fleet.
  let names: (source: String, target: String)
}

extension ShardedFleet {
  /// The move of a book that was shipped.
  func stagedMove(of book: TestBook) throws -> StagedMove {
    let part = try part(of: book)
    // The parts of the first server have even numbers.
    let (source, target) = part.isMultiple(of: 2) ? (0, 1) : (1, 0)
    return StagedMove(
      part: part, source: servers[source], target: servers[target],
      names: ("shard\(source + 1)", "shard\(target + 1)"))
  }

  /// Moves one part.
  func move(_ part: Int, to name: String?) async throws(GatebookError) {
    let accesses: [String: FleetAccess]
    do {
      accesses = try self.accesses
    } catch {
      throw GatebookError(.configurationInvalid, "\(error)", remedy: "Mend the test.")
    }
    _ = try await FleetShards(of: try access(coordinator)).move(
      [part], to: name, reaching: accesses
    ) { _, _, _, _ in }
  }

  /// Starts the command that moves one part.
  func startMove(_ part: Int, to name: String) throws -> GatebookProcess {
    // One file for all servers: the command knows only the places of the others.
    let file = coordinator.folder + "/all.pgpass"
    if !Files.isReadable(file) {
      let passwords = Files.text(of: coordinator.passfile) + Files.text(of: servers[2].passfile)
      let opened = try #require(OpenFile.open(file, .new))
      #expect(opened.write(Array(passwords.utf8)))
    }
    return try GatebookProcess(
      [
        "fleet", "shards", "move", "--server", name, "--part", "\(part)", "--fleet",
        "postgresql://gatebook_admin@127.0.0.1:\(coordinator.port)/postgres",
      ], environment: ["PGPASSFILE": file])
  }

  /// Locks a table as a long question does, until `ROLLBACK` is run on the connection.
  func hold(
    _ table: String = "gatebook.branch", in mode: String = "ACCESS SHARE", on server: FleetServer
  ) throws(GatebookError) -> FleetConnection {
    let access = try access(server)
    let connection = FleetConnection(access.address, try access.connect())
    try connection.run("BEGIN")
    try connection.run("LOCK TABLE \(table) IN \(mode) MODE")
    return connection
  }

  /// How many rows a server has about a part whose tables are there.
  func rows(about part: Int, on server: FleetServer) throws -> String? {
    try value(
      "SELECT count(*) FROM gatebook.part WHERE number = \(part) AND server IS NULL", on: server)
  }
}
