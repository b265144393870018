public import Gatebook
internal import GatebookFleetMigrations
internal import GatebookSystem

/// The tables, functions and roles of a fleet.
public struct FleetSchema: Sendable {
  /// How many parts the books are divided into: for good, so that a part can move to another
  /// server.
  public static let parts = 64
  /// The version that this program makes.
  static var version: Int64 { Int64(fleetMigrations.count) }

  /// The version before.
  public let former: Int
  /// The version now.
  public let version: Int
  /// The roles that were made.
  public let madeRoles: [String]

  /// The groups that login roles become members of.
  public static let roles = ["gatebook_owner", "gatebook_shipper", "gatebook_auditor"]

  /// Makes a database a fleet, or brings one up to date.
  ///
  /// It is one transaction: after a failure the database is as before.
  ///
  /// - Parameters:
  ///   - access: The database, as a role that may create roles and schemas.
  ///   - count: How many of the parts lie there: all of them, or none on a server that parts move
  ///     to.
  /// - Returns: What was done.
  /// - Throws: `fleet.newer` for a fleet of a newer version; `configuration.invalid` for a server
  ///   that is too old or a database that is not in UTF-8; other `fleet` failures.
  public static func create(
    at access: FleetAccess, parts count: Int = parts
  ) async throws(GatebookError) -> FleetSchema {
    try await create(at: access, parts: count, naming: [])
  }

  /// Makes a database a fleet, or brings one up to date with all of its servers.
  ///
  /// - Parameters:
  ///   - access: The database, as a role that may create roles and schemas.
  ///   - count: How many of the parts lie there.
  ///   - places: The other servers that are brought up to date with it.
  /// - Returns: What was done.
  /// - Throws: As ``create(at:parts:)``; `configuration.invalid` if the fleet has another server.
  static func create(
    at access: FleetAccess, parts count: Int, naming places: [String]
  ) async throws(GatebookError) -> FleetSchema {
    try await withTaskExecutorPreference(ThreadExecutor()) { () throws(GatebookError) in
      let address = access.address
      let connection = FleetConnection(address, try access.connect())
      try checkServer(connection)
      return try connection.inTransaction { () throws(GatebookError) in
        // Two administrators at once: the second waits, and finds it done.
        try connection.run("SELECT pg_advisory_xact_lock(5122145018011190)")
        let former = try connection.readingInTransaction { () throws(GatebookError) in
          let former = try Self.version(of: connection) ?? 0
          if (1...Self.version).contains(former) { try checkNamed(places, connection) }
          return former
        }
        guard former <= Self.version else { throw Self.newer(former, address) }
        let made = try makeRoles(connection)
        try apply(after: former, parts: count, connection)
        return FleetSchema(former: Int(former), version: fleetMigrations.count, madeRoles: made)
      }
    }
  }

  private static func checkServer(_ connection: FleetConnection) throws(GatebookError) {
    guard connection.postgres.serverVersion >= 150_000 else {
      throw GatebookError(
        .configurationInvalid, "A fleet needs PostgreSQL 15 or newer.",
        remedy: "Use another server, or update this one.")
    }
    let encoding = try connection.run("SHOW server_encoding").first?.text(0)
    guard encoding == "UTF8" else {
      throw GatebookError(
        .configurationInvalid, "The database is not in UTF-8, so it cannot hold every event.",
        remedy:
          "Create another database: CREATE DATABASE sessions ENCODING 'UTF8' TEMPLATE template0."
      )
    }
  }

  /// Refuses to bring up to date a part of the fleet's servers.
  private static func checkNamed(
    _ places: [String], _ connection: FleetConnection
  ) throws(GatebookError) {
    let all = try connection.run("SELECT url FROM gatebook.server ORDER BY name").map { $0.text(0) }
    let others = all.filter { !places.contains($0) }
    guard !others.isEmpty else { return }
    let urls = (all + places.filter { !all.contains($0) }).map { "postgresql://\($0)" }
    throw GatebookError(
      .configurationInvalid,
      "The fleet also lies on \(others.joined(separator: " and ")), which was not named.",
      remedy: "Name all of its servers: `gatebook fleet init postgresql://"
        + "\(connection.address.place) --shards \(urls.joined(separator: ","))`."
    ).with(\.setting, "shards")
  }

  /// The version of the fleet; `nil` where the database is none.
  private static func version(of connection: FleetConnection) throws(GatebookError) -> Int64? {
    let known = try connection.run("SELECT to_regclass('gatebook.fleet') IS NOT NULL")
    guard known.first?.bool(0) == true else { return nil }
    return try connection.run("SELECT version FROM gatebook.fleet").first?.integer(0)
  }

  private static func makeRoles(_ connection: FleetConnection) throws(GatebookError) -> [String] {
    let present = try connection.run(
      "SELECT rolname::text FROM pg_roles WHERE rolname = ANY($1)", .texts(roles)
    ).map { $0.text(0) }
    let made = roles.filter { !present.contains($0) }
    for role in made { try connection.run("CREATE ROLE \(role) NOLOGIN") }
    // Who is no superuser may act for a role only as its member.
    let isMember = try connection.run("SELECT pg_has_role('gatebook_owner', 'MEMBER')")
    if isMember.first?.bool(0) != true {
      try connection.run("GRANT gatebook_owner TO CURRENT_USER")
    }
    return made
  }

  private static func apply(
    after former: Int64, parts count: Int, _ connection: FleetConnection
  ) throws(GatebookError) {
    if former == 0 {
      for schema in ["gatebook", "gatebook_part"] {
        try connection.run("CREATE SCHEMA \(schema) AUTHORIZATION gatebook_owner")
      }
    }
    try connection.run("SET LOCAL ROLE gatebook_owner")
    for step in fleetMigrations.dropFirst(Int(former)) {
      try connection.talk { (postgres) throws(PostgresFailure) in
        try postgres.runScript(String(decoding: step.sql, as: UTF8.self))
      }
    }
    if former == 0 {
      try connection.run(
        "SELECT gatebook.make_part(part) FROM generate_series(0, $1) part",
        .small(Int32(count - 1)))
    }
    try connection.run("UPDATE gatebook.fleet SET version = $1", .small(Int32(version)))
  }

  /// Refuses a fleet whose schema this version does not know.
  static func check(_ connection: FleetConnection) throws(GatebookError) {
    let found = try connection.reading { () throws(GatebookError) in
      try version(of: connection)
    }
    guard let found else {
      throw GatebookError(
        .fleetMissing, "The database at \(connection.address) is no fleet.",
        remedy: "Check the URL. An administrator makes it a fleet with `FleetSchema.create`.")
    }
    guard found <= version else { throw newer(found, connection.address) }
    guard found == version else {
      throw GatebookError(
        .fleetMissing,
        "The fleet at \(connection.address) has schema version \(found), and this program needs "
          + "version \(version).",
        remedy: "An administrator brings the fleet up to date with `FleetSchema.create`.")
    }
  }

  private static func newer(_ found: Int64, _ address: FleetAddress) -> GatebookError {
    GatebookError(
      .fleetNewer,
      "The fleet at \(address) has schema version \(found), and this program knows only version "
        + "\(version).",
      remedy: "Update Gatebook on this machine.")
  }
}
