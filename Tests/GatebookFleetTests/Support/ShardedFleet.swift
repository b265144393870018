import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

/// A fleet whose books lie on two servers, with a third one that can be added.
final class ShardedFleet: Sendable {
  let coordinator: FleetServer
  /// Three servers; the last one is none of the fleet's yet.
  let servers: [FleetServer]

  /// Starts the servers and makes the fleet.
  init() async throws {
    let all = try FleetTool(["--servers", "3"]).servers()
    coordinator = all[0]
    // A tool of its own, so that a test can end this one alone.
    servers = Array(all.dropFirst()) + (try FleetTool().servers())
    _ = try await FleetShards(of: try access(coordinator)).create(
      on: try servers.prefix(2).map { try access($0) })
    for server in all { try makeRole(.shipper, on: server) }
  }

  /// Makes a role on a server.
  func makeRole(_ role: FleetRole, on server: FleetServer) throws {
    let password = try #require(
      Files.text(of: server.passfile).split(separator: "\n").first?.split(separator: ":").last)
    let group = try #require(role.group)
    try server.run("CREATE ROLE \(role.rawValue) LOGIN PASSWORD '\(password)' IN ROLE \(group)")
  }

  func access(
    _ server: FleetServer, _ role: FleetRole = .admin
  ) throws(GatebookError) -> FleetAccess {
    try server.access(role, "postgres")
  }

  /// Ships a book through the coordinator.
  func ship(
    _ book: TestBook, machine: String? = nil, isDirect: Bool = false, patience: Duration = .zero
  ) async throws(GatebookError) {
    try await BookShipment(
      of: book.path, key: book.key, to: try access(coordinator, .shipper),
      options: ShipmentOptions(machine: machine, isDirect: isDirect)
    ).ship(patience: patience)
  }

  /// How to reach each server, as a move wants it.
  var accesses: [String: FleetAccess] {
    get throws {
      var all: [String: FleetAccess] = [:]
      for server in servers { all["127.0.0.1:\(server.port)/postgres"] = try access(server) }
      return all
    }
  }

  /// The part of a book.
  func part(of book: TestBook) throws -> Int {
    Int(try value("SELECT gatebook.part_of('\(book.reader().id)')") ?? "") ?? -1
  }

  /// The only value of a query on the coordinator, or on another server.
  func value(_ query: String, on server: FleetServer? = nil) throws -> String? {
    let access = try access(server ?? coordinator)
    return try FleetConnection(access.address, access.connect())
      .run("SELECT (\(query))::text").first?.optionalText(0)
  }

  /// Runs statements on the coordinator, or on another server.
  func run(_ script: String, on server: FleetServer? = nil) throws {
    let access = try access(server ?? coordinator)
    try FleetConnection(access.address, access.connect()).talk {
      (postgres) throws(PostgresFailure) in
      try postgres.runScript(script)
    }
  }

  /// Expects that the fleet has a book as it is, once.
  func expectHas(
    _ book: TestBook, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let reader = try book.reader()
    let head = try reader.head()
    let question = """
      SELECT concat_ws(',', count(*), count(DISTINCT e.position), max(e.position),
        min(b.size), min(encode(b.root, 'hex')))
      FROM gatebook.event e JOIN gatebook.branch b USING (book, branch)
      WHERE e.book = '\(reader.id)'
      """
    #expect(
      try value(question)
        == "\(head.size),\(head.size),\(head.size),\(head.size),\(head.root)",
      sourceLocation: sourceLocation)
  }
}
