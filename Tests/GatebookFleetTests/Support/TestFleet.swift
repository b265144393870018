import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

/// A fleet of a test's own, without books; dropped with its last reference.
///
/// ```swift
/// let fleet = try await TestFleet()
/// let book = try await TestBook.written()
/// try await fleet.ship(book)
/// #expect(try fleet.rows("SELECT size, owner FROM gatebook.branch") == ["(309,lap1)"])
/// ```
final class TestFleet: Sendable {
  let server: FleetServer
  let database: String
  /// The superuser's connection between statements.
  private let idle = IdleConnection()

  /// Makes a fleet on the server of all tests, or on another one that is prepared.
  init(on server: FleetServer? = nil) async throws {
    if let server { self.server = server } else { self.server = try await FleetServer.shared.value }
    database = try self.server.makeFleet()
  }

  deinit {
    disconnect()
    server.drop(database)
  }

  /// Its URL; the file with the password is in it.
  func url(_ role: FleetRole = .shipper) -> String { server.url(role, database) }

  func access(_ role: FleetRole = .shipper) throws(GatebookError) -> FleetAccess {
    try server.access(role, database)
  }

  /// A connection for statements of the test's own.
  func connect(_ role: FleetRole = .admin) throws(GatebookError) -> FleetConnection {
    let access = try access(role)
    return FleetConnection(access.address, try access.connect())
  }

  // MARK: Statements

  /// Runs statements without parameters; what they set for their connection ends with them.
  func run(_ script: String, as role: FleetRole = .admin) throws(GatebookError) {
    try use(role) { (connection) throws(GatebookError) in
      try connection.talk { (postgres) throws(PostgresFailure) in
        try postgres.runScript(script)
        try postgres.runScript("DISCARD ALL")
      }
    }
  }

  /// The only value of a query as text, such as `12` or `t`; `nil` for NULL and for no row.
  func value(_ query: String, as role: FleetRole = .admin) throws(GatebookError) -> String? {
    try use(role) { (connection) throws(GatebookError) in
      try connection.run("SELECT (\(query))::text").first?.optionalText(0)
    }
  }

  /// The rows of a query as text, such as `(1,f)`.
  func rows(_ query: String, as role: FleetRole = .admin) throws(GatebookError) -> [String] {
    try use(role) { (connection) throws(GatebookError) in
      try connection.run("SELECT row::text FROM (\(query)) row").map { $0.text(0) }
    }
  }

  /// Closes the connection that is kept between statements, for what needs an unused database.
  func disconnect() { _ = idle.take() }

  /// Only the superuser's connection is kept: tests count those of the other roles.
  private func use<Value>(
    _ role: FleetRole, _ body: (FleetConnection) throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    guard role == .admin else { return try body(try connect(role)) }
    return try idle.use(try access(.admin), body)
  }

  // MARK: Shipping

  /// Ships a book.
  ///
  /// - Parameters:
  ///   - book: The book.
  ///   - role: The role that does it.
  ///   - isSigned: Whether with the book's key.
  ///   - options: What is sent.
  /// - Returns: What was done.
  /// - Throws: What shipping throws.
  @discardableResult
  func ship(
    _ book: TestBook, as role: FleetRole = .shipper, isSigned: Bool = true,
    options: ShipmentOptions = ShipmentOptions(machine: "laptop")
  ) async throws(GatebookError) -> ShipReport {
    let key: (any KeySource)? = isSigned ? book.key : nil
    return try await BookShipment(of: book.path, key: key, to: try access(role), options: options)
      .ship()
  }

  /// Expects that a history is the book's: its head, its root, no gap and no double, and counters
  /// that count its events.
  func expectHas(
    _ book: TestBook, branch: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let reader = try book.reader()
    let head = try reader.head()
    let id = reader.id
    let history = "book = '\(id)' AND branch = \(branch)"
    #expect(
      try rows("SELECT size, encode(root, 'hex') FROM gatebook.branch WHERE \(history)") == [
        "(\(head.size),\(head.root))"
      ], sourceLocation: sourceLocation)
    let base = try value("SELECT base FROM gatebook.branch WHERE \(history)").flatMap { Int64($0) }
    let own = try reader.events(EventFilter()).map(\.position.rawValue).filter { $0 > base ?? 0 }
    let counts =
      "SELECT count(*), count(DISTINCT position), max(position) FROM gatebook.event WHERE \(history)"
      + " AND position >= \(own.first ?? 0)"
    #expect(
      try rows(counts) == ["(\(own.count),\(own.count),\(own.last.map { "\($0)" } ?? ""))"],
      sourceLocation: sourceLocation)
    let uncounted = """
      SELECT 1 FROM (SELECT floor(at / 86400000000.0)::integer AS day, kind, count(*) AS events
        FROM gatebook.event WHERE \(history) GROUP BY 1, 2) e
      FULL JOIN (SELECT day, kind, events FROM gatebook.tally WHERE \(history)) t
      USING (day, kind, events) WHERE e.day IS NULL OR t.day IS NULL
      """
    #expect(try rows(uncounted).isEmpty, sourceLocation: sourceLocation)
    #expect(
      try value("SELECT count(*) FROM gatebook.staging") == "0", sourceLocation: sourceLocation)
  }
}
