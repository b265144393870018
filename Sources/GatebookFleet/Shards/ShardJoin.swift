internal import Gatebook
internal import GatebookCrypto
internal import GatebookEvents

/// Makes a PostgreSQL server one of a fleet's.
///
/// The coordinator reaches it by postgres_fdw with two roles that are made for it alone: one that
/// owns the schema there, for the coordinator's functions, and one that reads, for everybody else.
/// Their passwords are random. The coordinator has them in `pg_user_mapping`, which only a
/// superuser reads.
struct ShardJoin {
  let coordinator: FleetConnection
  let shard: FleetConnection
  let random: any RandomSource

  /// Registers the server, and prepares it for parts.
  ///
  /// Repeating it for a server that is known mends its roles and its passwords.
  ///
  /// - Returns: The server's name in the fleet.
  /// - Throws: `configuration.invalid` without postgres_fdw or for a URL without a host; `fleet`
  ///   failures.
  func run() throws(GatebookError) -> String {
    let place = shard.address.place
    guard let host = shard.address.parameters["host"], !host.hasPrefix("/") else {
      throw GatebookError(
        .configurationInvalid, "The URL of a shard must name its host.",
        remedy: "Write postgresql://USER@HOST:PORT/DATABASE.")
    }
    try requireForeignData()
    let name = try self.name(of: place)
    let passwords = (write: Hex.encode(random.bytes(24)), read: Hex.encode(random.bytes(24)))
    let roles = try makeRoles(name, passwords)
    try coordinator.inTransaction { () throws(GatebookError) in
      try register(name, place, host)
      try map("gatebook_owner", to: roles.write, passwords.write, name)
      try map("PUBLIC", to: roles.read, passwords.read, name)
    }
    return name
  }

  private func requireForeignData() throws(GatebookError) {
    let there = try coordinator.run("SELECT 1 FROM pg_extension WHERE extname = 'postgres_fdw'")
    guard there.count == 0 else { return }
    do throws(GatebookError) {
      try coordinator.run("CREATE EXTENSION postgres_fdw")
    } catch {
      throw GatebookError(
        .configurationInvalid,
        "The coordinator needs the extension postgres_fdw, and this role may not create it.",
        remedy: "A superuser runs CREATE EXTENSION postgres_fdw in the coordinator's database.",
        cause: error.cause)
    }
  }

  /// The name of a server that is known, or the next free one.
  private func name(of place: String) throws(GatebookError) -> String {
    let known = try FleetServer.list(coordinator)
    if let server = known.first(where: { $0.place == place }), let name = server.name {
      return name
    }
    let numbers = known.compactMap(\.name).compactMap { Int($0.dropFirst(5)) }
    return "shard\((numbers.max() ?? 0) + 1)"
  }

  // MARK: On the shard

  private func makeRoles(
    _ name: String, _ passwords: (write: String, read: String)
  ) throws(GatebookError) -> (write: String, read: String) {
    let fleet = try coordinator.run("SELECT left(id::text, 8) FROM gatebook.fleet")
    let prefix = "gatebook_\(fleet.first?.text(0) ?? "")_\(name)"
    let roles = (write: "\(prefix)_writer", read: "\(prefix)_reader")
    try makeRole(roles.write, passwords.write, of: "gatebook_owner")
    try makeRole(roles.read, passwords.read, of: "gatebook_auditor")
    return roles
  }

  private func makeRole(
    _ role: String, _ password: String, of group: String
  ) throws(GatebookError) {
    let kept = try shard.talk { (postgres) throws(PostgresFailure) in
      try postgres.encrypted(password, of: role)
    }
    let there = try shard.run("SELECT 1 FROM pg_roles WHERE rolname = $1", .text(role)).count > 0
    try shard.run("\(there ? "ALTER" : "CREATE") ROLE \(role) LOGIN PASSWORD '\(kept)'")
    try shard.run("GRANT \(group) TO \(role)")
  }

  // MARK: On the coordinator

  private func register(_ name: String, _ place: String, _ host: String) throws(GatebookError) {
    let isNew =
      try coordinator.run(
        "SELECT 1 FROM pg_foreign_server WHERE srvname = $1", .text(name)
      ).count == 0
    if isNew {
      var options = [
        "host": host, "port": shard.address.parameters["port"] ?? "5432",
        "dbname": shard.address.parameters["dbname"] ?? shard.address.parameters["user"]
          ?? "postgres",
        "batch_size": "1000", "fetch_size": "10000", "async_capable": "true",
        "connect_timeout": "10", "keepalives_idle": "10", "keepalives_interval": "5",
        "keepalives_count": "3", "gssencmode": "disable",
      ]
      options.merge(shard.trust) { $1 }
      let words = options.sorted { $0.key < $1.key }.map { "\($0.key) \(Self.literal($0.value))" }
      try coordinator.run(
        "CREATE SERVER \(name) FOREIGN DATA WRAPPER postgres_fdw OPTIONS ("
          + words.joined(separator: ", ") + ")")
      try coordinator.run("GRANT USAGE ON FOREIGN SERVER \(name) TO gatebook_owner")
    }
    try coordinator.run(
      """
      INSERT INTO gatebook.server (name, url) VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET url = excluded.url
      """, .text(name), .text(place))
  }

  private func map(
    _ local: String, to role: String, _ password: String, _ server: String
  ) throws(GatebookError) {
    // A superuser keeps the password out of the server's log too; others may not set that.
    let isSuperuser =
      try coordinator.run(
        "SELECT 1 FROM pg_roles WHERE rolname = current_user AND rolsuper"
      ).count > 0
    if isSuperuser { try coordinator.run("SET LOCAL log_statement = 'none'") }
    try coordinator.run("DROP USER MAPPING IF EXISTS FOR \(local) SERVER \(server)")
    try coordinator.run(
      "CREATE USER MAPPING FOR \(local) SERVER \(server) OPTIONS (user '\(role)', "
        + "password '\(password)')")
  }

  /// A text as a literal of SQL (PostgreSQL 15, 4.1.2.1).
  private static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }
}
