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
  private let tool: FleetTool
  private let databases = Locked(0)

  /// Takes a server over that the tool has started.
  init(_ started: FleetTool.Started, of tool: FleetTool) {
    self.tool = tool
    port = started.port
    folder = started.folder
    passfile = started.passfile
    authority = started.authority
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

  /// Makes a database that is a fleet without books.
  func makeFleet() throws -> String {
    let name = databases.withLock { number in
      number += 1
      return "fleet_\(number)"
    }
    try run("CREATE DATABASE \(name) TEMPLATE \(Self.template)")
    return name
  }

  /// Runs a statement as the superuser in the database that every server has.
  func run(_ sql: String) throws(GatebookError) {
    let access = try access(.admin, "postgres")
    try FleetConnection(access.address, access.connect()).run(sql)
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
