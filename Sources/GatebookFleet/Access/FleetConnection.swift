internal import Gatebook

/// A connection to a fleet whose schema this version knows.
final class FleetConnection {
  let address: FleetAddress
  let postgres: PostgresConnection
  /// What postgres_fdw needs to trust the server as this connection does.
  private(set) var trust: [String: String] = [:]
  private var knownSpread: Bool?
  private var knownReach: FleetReach?

  /// Takes over a connection to a database that may be no fleet yet.
  init(_ address: FleetAddress, _ postgres: PostgresConnection) {
    self.address = address
    self.postgres = postgres
  }

  /// Connects, and checks the version of the schema.
  ///
  /// - Throws: A `fleet` failure; `cancelled`.
  static func open(_ access: FleetAccess) throws(GatebookError) -> FleetConnection {
    let connection = FleetConnection(access.address, try access.connect())
    connection.trust = access.trust.parameters(isLocal: access.address.isLocal)
    // To compile a plan over 64 parts takes longer than to run it.
    try connection.run("SET jit = off")
    try FleetSchema.check(connection)
    return connection
  }

  /// Whether parts of the fleet lie on other servers: it is found out at most once.
  ///
  /// - Throws: A `fleet` failure.
  func isSpread() throws(GatebookError) -> Bool {
    if let knownSpread { return knownSpread }
    let rows = try run("SELECT EXISTS (SELECT FROM gatebook.server)")
    let found = rows.first?.bool(0) ?? false
    knownSpread = found
    return found
  }

  /// Which books can be asked: it is found out at most once.
  ///
  /// - Throws: A `fleet` failure; a server that does not answer is none.
  func reach() throws(GatebookError) -> FleetReach {
    if let knownReach { return knownReach }
    let found = try FleetReach(self)
    knownReach = found
    return found
  }

  /// Finds out again which books can be asked, the next time that it is needed.
  func forgetReach() {
    knownSpread = nil
    knownReach = nil
  }

  /// Runs one statement.
  @discardableResult
  func run(_ sql: String, _ values: PostgresValue...) throws(GatebookError) -> PostgresRows {
    try talk { (postgres) throws(PostgresFailure) in
      try postgres.send(sql, values)
      return try postgres.answer()
    }
  }

  /// Does something with the connection; its failure becomes one of the fleet.
  func talk<Value>(
    _ body: (PostgresConnection) throws(PostgresFailure) -> Value
  ) throws(GatebookError) -> Value {
    do throws(PostgresFailure) {
      return try body(postgres)
    } catch {
      throw GatebookError(error, at: address)
    }
  }

  /// Runs work in a transaction, of which nothing counts where it fails.
  @discardableResult
  func inTransaction<Value>(
    _ begin: String = "BEGIN", _ body: () throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    try run(begin)
    do throws(GatebookError) {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      _ = try? run("ROLLBACK")
      throw error
    }
  }

  /// Runs work in a transaction as the owner of the schema.
  @discardableResult
  func asOwner<Value>(
    _ body: () throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    try inTransaction { () throws(GatebookError) in
      try run("SET LOCAL ROLE gatebook_owner")
      return try body()
    }
  }

  // MARK: As a superuser

  /// Whether this role is a superuser, and the schema has an owner.
  func isSuperuser() throws(GatebookError) -> Bool {
    try run(
      """
      SELECT r.rolsuper AND EXISTS (SELECT FROM pg_roles o WHERE o.rolname = 'gatebook_owner')
      FROM pg_roles r WHERE r.rolname = current_user
      """
    ).first?.bool(0) == true
  }

  /// Runs work that reads tables of the schema.
  ///
  /// A superuser reads them as their owner, so that nothing of the owner runs with a superuser's
  /// rights.
  @discardableResult
  func reading<Value>(
    _ body: () throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    try isSuperuser() ? asOwner(body) : body()
  }

  /// As ``reading(_:)``, within the open transaction.
  func readingInTransaction<Value>(
    _ body: () throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    guard try isSuperuser() else { return try body() }
    try run("SET LOCAL ROLE gatebook_owner")
    let value = try body()
    try run("SET LOCAL ROLE NONE")
    return value
  }
}
