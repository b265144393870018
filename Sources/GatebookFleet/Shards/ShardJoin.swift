internal import Gatebook
internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookSystem

/// Makes a PostgreSQL server one of a fleet's.
///
/// The coordinator reaches it by postgres_fdw with two roles that are made for it alone: one that
/// owns the schema there, for the coordinator's functions, and one that reads, for everybody else.
/// Their passwords are random. The coordinator has them in `pg_user_mapping`: superusers read both,
/// and members of gatebook_owner that of the first role.
///
/// The owner of the schema can change what its tables do when they are used. So a superuser uses
/// them as that owner: only servers, mappings and roles are made with a superuser's rights.
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
    // Two commands at once would give two servers the same name.
    try coordinator.run("SELECT pg_advisory_lock(\(MoveLock.key), \(FleetSchema.parts))")
    let name = try self.name(of: place)
    for server in [coordinator, shard] { try keepPasswordsOutOfLog(server) }
    let passwords = (write: Hex.encode(random.bytes(24)), read: Hex.encode(random.bytes(24)))
    let roles = try makeRoles(name, passwords)
    try coordinator.inTransaction { () throws(GatebookError) in
      try makeServer(name, host)
      try map("gatebook_owner", to: roles.write, passwords.write, name)
      try map("PUBLIC", to: roles.read, passwords.read, name)
    }
    // A transaction of its own: what the tables do at its end, they do as their owner.
    try coordinator.asOwner { () throws(GatebookError) in
      try coordinator.run(
        """
        INSERT INTO gatebook.server (name, url) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET url = excluded.url
        """, .text(name), .text(place))
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
    let known = try FleetServer.list(coordinator).filter { $0.name != nil }
    var last = 0
    for server in known {
      guard let name = server.name, let number = Self.number(of: name) else {
        throw GatebookError(
          .fleetMismatch,
          "The fleet has a server with the name `\(server.name ?? "")`, which Gatebook does not give.",
          remedy: "Names are shard1, shard2 and higher numbers. Find out who wrote that row of "
            + "gatebook.server, and delete it.")
      }
      if server.place == place { return name }
      last = max(last, number)
    }
    return "shard\(last + 1)"
  }

  /// The number in `shard7`; `nil` for a name of another form.
  private static func number(of name: String) -> Int? {
    guard name.hasPrefix("shard") else { return nil }
    let digits = name.utf8.dropFirst(5)
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(name.dropFirst(5))
  }

  /// Turns off what would write statements with passwords to the server's log.
  private func keepPasswordsOutOfLog(_ server: FleetConnection) throws(GatebookError) {
    // Only superusers may set it.
    guard try server.isSuperuser() else { return }
    for (setting, value) in [
      ("log_statement", "none"), ("log_min_duration_statement", "-1"),
      ("log_min_duration_sample", "-1"), ("log_transaction_sample_rate", "0"),
      ("log_min_error_statement", "panic"),
    ] {
      try server.run("SELECT set_config($1, $2, false)", .text(setting), .text(value))
    }
  }

  // MARK: On the shard

  private func makeRoles(
    _ name: String, _ passwords: (write: String, read: String)
  ) throws(GatebookError) -> (write: String, read: String) {
    let fleet = try coordinator.reading { () throws(GatebookError) in
      try coordinator.run("SELECT left(id::text, 8) FROM gatebook.fleet")
    }
    let prefix = "gatebook_\(fleet.first?.text(0) ?? "")_\(name)"
    let roles = (write: "\(prefix)_writer", read: "\(prefix)_reader")
    try makeRole(roles.write, passwords.write, of: "gatebook_owner")
    try makeRole(roles.read, passwords.read, of: "gatebook_auditor")
    let reader = SQLText.identifier(roles.read)
    // Only the coordinator reads the parts themselves: they have no row-level security.
    try shard.asOwner { () throws(GatebookError) in
      for grant in [
        "GRANT USAGE ON SCHEMA gatebook_part TO \(reader)",
        "GRANT SELECT ON ALL TABLES IN SCHEMA gatebook_part TO \(reader)",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA gatebook_part GRANT SELECT ON TABLES TO \(reader)",
      ] {
        try shard.run(grant)
      }
    }
    return roles
  }

  private func makeRole(
    _ role: String, _ password: String, of group: String
  ) throws(GatebookError) {
    let kept = try shard.talk { (postgres) throws(PostgresFailure) in
      try postgres.encrypted(password, of: role)
    }
    let there = try shard.run("SELECT 1 FROM pg_roles WHERE rolname = $1", .text(role)).count > 0
    let name = SQLText.identifier(role)
    try shard.run(
      "\(there ? "ALTER" : "CREATE") ROLE \(name) LOGIN PASSWORD \(SQLText.literal(kept))")
    try shard.run("GRANT \(group) TO \(name)")
  }

  // MARK: On the coordinator

  /// What postgres_fdw needs to know of the shard.
  ///
  /// The first part follows the command. An administrator may change the second one.
  private func options(_ host: String) -> (fixed: [String: String], initial: [String: String]) {
    var fixed = [
      "host": host, "port": shard.address.parameters["port"] ?? "5432",
      "dbname": shard.address.parameters["dbname"] ?? shard.address.parameters["user"]
        ?? "postgres",
    ]
    fixed.merge(shard.trust) { $1 }
    let initial = [
      "batch_size": "1000", "fetch_size": "10000", "async_capable": "true",
      "connect_timeout": "10", "keepalives_idle": "10", "keepalives_interval": "5",
      "keepalives_count": "3", "gssencmode": "disable",
    ]
    return (fixed, initial)
  }

  /// Makes the foreign server, or changes the one that is there.
  private func makeServer(_ name: String, _ host: String) throws(GatebookError) {
    let (fixed, initial) = options(host)
    let server = SQLText.identifier(name)
    let isKnown =
      try coordinator.run("SELECT 1 FROM pg_foreign_server WHERE srvname = $1", .text(name)).count
      > 0
    guard isKnown else {
      let words = fixed.merging(initial) { $1 }.sorted { $0.key < $1.key }
        .map { "\($0.key) \(SQLText.literal($0.value))" }
      try coordinator.run(
        "CREATE SERVER \(server) FOREIGN DATA WRAPPER postgres_fdw OPTIONS ("
          + words.joined(separator: ", ") + ")")
      try coordinator.run("GRANT USAGE ON FOREIGN SERVER \(server) TO gatebook_owner")
      return
    }
    let known = Set(
      try coordinator.run(
        """
        SELECT split_part(option, '=', 1)
        FROM pg_foreign_server CROSS JOIN LATERAL unnest(srvoptions) option WHERE srvname = $1
        """, .text(name)
      ).map { $0.text(0) })
    let words = initial.filter { !known.contains($0.key) }.merging(fixed) { $1 }
      .sorted { $0.key < $1.key }.map { option in
        "\(known.contains(option.key) ? "SET" : "ADD") \(option.key) "
          + SQLText.literal(option.value)
      }
    try coordinator.run("ALTER SERVER \(server) OPTIONS (\(words.joined(separator: ", ")))")
  }

  private func map(
    _ local: String, to role: String, _ password: String, _ server: String
  ) throws(GatebookError) {
    let server = SQLText.identifier(server)
    try coordinator.run("DROP USER MAPPING IF EXISTS FOR \(local) SERVER \(server)")
    try coordinator.run(
      "CREATE USER MAPPING FOR \(local) SERVER \(server) OPTIONS (user \(SQLText.literal(role)), "
        + "password \(SQLText.literal(password)))")
  }
}
