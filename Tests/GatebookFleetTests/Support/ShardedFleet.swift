import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

/// A fleet whose books lie on two servers, with a third one that can be added.
final class ShardedFleet: Sendable {
  let coordinator: FleetServer
  /// Three servers; the last one is none of the fleet's yet.
  let servers: [FleetServer]
  /// The superuser's connection to the coordinator between statements.
  private let idle = IdleConnection()

  /// Starts servers for a test that stops one of them, and makes the fleet.
  init() async throws {
    let all = try FleetTool(["--servers", "4"]).servers()
    coordinator = all[0]
    servers = Array(all.dropFirst())
    try await create()
    for server in all.prefix(3) { try makeRole(.shipper, on: server) }
  }

  /// Takes over the databases of the coordinator and of three servers.
  private init(_ all: [FleetServer]) {
    coordinator = all[0]
    servers = Array(all.dropFirst())
  }

  deinit {
    _ = idle.take()
    // The other servers end with their databases.
    for server in [coordinator] + servers where server.database != "postgres" {
      server.drop(server.database)
    }
  }

  private func create() async throws {
    _ = try await FleetShards(of: try access(coordinator)).create(
      on: try servers.prefix(2).map { try access($0) })
  }

  // MARK: In databases of one server

  private static let template = Task { () async throws -> ShardedFleet in
    let server = try await FleetServer.shared.value
    let fleet = ShardedFleet(
      try (0..<4).map { _ in
        FleetServer(server, database: try server.makeFleet("template1"))
      })
    try await fleet.create()
    return fleet
  }

  /// Makes a fleet whose servers are databases of the server of all tests.
  ///
  /// That is much faster, but nobody can stop one of them alone.
  static func onSharedServer() async throws -> ShardedFleet {
    let template = try await Self.template.value
    let fleet = ShardedFleet(
      try ([template.coordinator] + template.servers).map { server in
        FleetServer(server, database: try server.makeFleet(server.database))
      })
    // The fleet of the copies: its own servers, and an id for the roles of those that are added.
    var script = "UPDATE gatebook.fleet SET id = gen_random_uuid();"
    for (number, server) in fleet.servers.prefix(2).enumerated() {
      script += """
        ALTER SERVER shard\(number + 1) OPTIONS (SET dbname '\(server.database)');
        UPDATE gatebook.server SET url = '\(place(of: server))' WHERE name = 'shard\(number + 1)';
        """
    }
    try fleet.run(script)
    return fleet
  }

  // MARK: Access

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
    try server.access(role, server.database)
  }

  /// The coordinator's URL; the file with the password is in it.
  func url(_ role: FleetRole) -> String { coordinator.url(role, coordinator.database) }

  /// How to reach each server, as a move wants it.
  var accesses: [String: FleetAccess] {
    get throws {
      var all: [String: FleetAccess] = [:]
      for server in servers { all[Self.place(of: server)] = try access(server) }
      return all
    }
  }

  /// The place of a server, as the fleet tells it.
  static func place(of server: FleetServer) -> String {
    "127.0.0.1:\(server.port)/\(server.database)"
  }

  // MARK: Books

  /// Ships a book through the coordinator.
  func ship(
    _ book: TestBook, machine: String? = nil, isDirect: Bool = false, patience: Duration = .zero
  ) async throws(GatebookError) {
    try await BookShipment(
      of: book.path, key: book.key, to: try access(coordinator, .shipper),
      options: ShipmentOptions(machine: machine, isDirect: isDirect)
    ).ship(patience: patience)
  }

  /// The part of a book.
  func part(of book: TestBook) throws -> Int {
    Int(try value("SELECT gatebook.part_of('\(book.reader().id)')") ?? "") ?? -1
  }

  /// The only value of a query on the coordinator, or on another server.
  func value(_ query: String, on server: FleetServer? = nil) throws -> String? {
    try use(server) { (connection) throws(GatebookError) in
      try connection.run("SELECT (\(query))::text").first?.optionalText(0)
    }
  }

  /// Runs statements on the coordinator, or on another server.
  func run(_ script: String, on server: FleetServer? = nil) throws {
    try use(server) { (connection) throws(GatebookError) in
      try connection.talk { (postgres) throws(PostgresFailure) in
        try postgres.runScript(script)
        try postgres.runScript("DISCARD ALL")
      }
    }
  }

  private func use<Value>(
    _ server: FleetServer?, _ body: (FleetConnection) throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    let access = try access(server ?? coordinator)
    guard server != nil else { return try idle.use(access, body) }
    return try body(FleetConnection(access.address, try access.connect()))
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
