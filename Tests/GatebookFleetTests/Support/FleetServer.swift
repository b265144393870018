import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

/// A throw-away PostgreSQL server of `tools/fleet`: it ends with its last reference, and at the
/// latest with this process.
final class FleetServer: Sendable {
  /// The server of nearly all tests, with a template of a fleet and all roles.
  static let shared = Task { () async throws -> FleetServer in try await prepared() }

  let port: Int
  /// The server's own folder: its data, its log, its certificates.
  let folder: String
  /// The password of all roles is in it.
  let passfile: String
  /// The certificate of the authority; `nil` for a server without TLS.
  let authority: String?
  /// The database that a fleet over many servers has here.
  let database: String
  private let tool: FleetTool
  private let databases: Locked<Int>
  private let idle: IdleConnection

  /// Takes a server over that the tool has started.
  init(_ started: FleetTool.Started, of tool: FleetTool) {
    self.tool = tool
    port = started.port
    folder = started.folder
    passfile = started.passfile
    authority = started.authority
    database = "postgres"
    databases = Locked(0)
    idle = IdleConnection()
  }

  /// The same server for a fleet that has another database there.
  init(_ server: FleetServer, database: String) {
    self.database = database
    tool = server.tool
    port = server.port
    folder = server.folder
    passfile = server.passfile
    authority = server.authority
    databases = server.databases
    idle = server.idle
  }

  /// Starts a server for a test that stops it or fills it, with the template and the roles.
  static func prepared(_ options: [String] = []) async throws -> FleetServer {
    let server = try FleetTool(options).servers()[0]
    try await server.prepare()
    return server
  }

  // MARK: Databases

  private static let template = "fleet_template"

  /// Makes the template and the roles, which belong to all databases of the server.
  func prepare() async throws {
    try run("CREATE DATABASE \(Self.template)")
    _ = try await FleetSchema.create(at: access(.admin, Self.template))
    let password = try #require(
      Files.text(of: passfile).split(separator: "\n").first?.split(separator: ":").last)
    for role in FleetRole.allCases where role != .admin {
      let group = role.group.map { " IN ROLE \($0)" } ?? ""
      try run("CREATE ROLE \(role.rawValue) LOGIN PASSWORD '\(password)'\(group)")
    }
  }

  /// Makes a database that is a fleet without books, or a copy of another database.
  ///
  /// - Parameter template: A database that nobody is connected to.
  /// - Returns: The name of the database.
  /// - Throws: It cannot be made.
  func makeFleet(_ template: String = FleetServer.template) throws(GatebookError) -> String {
    let name = databases.withLock { number in
      number += 1
      return "fleet_\(number)"
    }
    // Copying the files is faster than logging each page of thousands of small relations.
    try run("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY FILE_COPY")
    return name
  }

  /// Drops a database, while the tests continue.
  func drop(_ database: String) {
    Task.detached(executorPreference: ThreadExecutor()) {
      try? self.run("DROP DATABASE \(database) WITH (FORCE)")
    }
  }

  /// Runs a statement as the superuser in the database that every server has.
  func run(_ sql: String) throws(GatebookError) {
    try idle.use(try access(.admin, "postgres")) { (connection) throws(GatebookError) in
      _ = try connection.run(sql)
    }
  }

  /// The URL of a database; the file with the password is in it.
  func url(_ role: FleetRole, _ database: String, host: String = "127.0.0.1") -> String {
    "postgresql://\(role.rawValue)@\(host):\(port)/\(database)?passfile=\(passfile)"
  }

  func access(
    _ role: FleetRole, _ database: String, trust: FleetTrust = FleetTrust()
  ) throws(GatebookError) -> FleetAccess {
    FleetAccess(try FleetAddress(url(role, database)), trust: trust)
  }
}

/// The roles that every server has.
enum FleetRole: String, CaseIterable {
  /// The superuser.
  case admin = "gatebook_admin"
  case shipper = "lap1"
  case secondShipper = "lap2"
  case auditor = "auditor1"
  case owner = "owner1"
  /// May log in, and belongs to no group.
  case stranger = "stranger1"

  /// The group that it is a member of.
  var group: String? {
    switch self {
    case .admin, .stranger: nil
    case .shipper, .secondShipper: "gatebook_shipper"
    case .auditor: "gatebook_auditor"
    case .owner: "gatebook_owner"
    }
  }
}
