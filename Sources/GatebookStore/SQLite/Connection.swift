internal import CSQLite
internal import GatebookEvents
internal import GatebookMigrations

/// What reads or writes some tables of a book over a connection.
protocol BookTables {
  init(connection: Connection)
}

extension BookTables {
  init(_ connection: Connection) { self.init(connection: connection) }
}

/// One SQLite connection, used by one thread at a time; closed with its last reference.
final class Connection {
  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  private var beginning = KeptStatement("BEGIN IMMEDIATE")
  private var committing = KeptStatement("COMMIT")
  private var tables: Set<String> = []
  /// Where SQLite finds the scan that runs; made for the first one.
  private var scan: UnsafeMutablePointer<Unmanaged<RowScan>?>?

  private init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  /// Opens a file by its path or its URI.
  static func open(_ name: String, flags: Int32) throws(GatebookError) -> Connection {
    var handle: OpaquePointer?
    let status = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_EXRESCODE, nil)
    guard status == SQLITE_OK, let handle else {
      let error = GatebookError.sqlite(status, handle)
      sqlite3_close_v2(handle)
      throw error
    }
    return Connection(handle)
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
    scan?.deallocate()
  }

  /// The place of the scan that runs.
  func scanPlace() throws(GatebookError) -> UnsafeMutablePointer<Unmanaged<RowScan>?> {
    if let scan { return scan }
    let place = UnsafeMutablePointer<Unmanaged<RowScan>?>.allocate(capacity: 1)
    place.initialize(to: nil)
    let status = RowScan.install(handle, place)
    guard status == SQLITE_OK else {
      place.deallocate()
      throw GatebookError.sqlite(status, handle)
    }
    scan = place
    return place
  }

  /// Begins a transaction that writes, waiting for nobody's.
  func begin() throws(GatebookError) { try beginning.on(self).run() }

  func commit() throws(GatebookError) { try committing.on(self).run() }

  /// Runs work in a transaction of its own, which changes nothing where it fails.
  func inTransaction(_ work: () throws(GatebookError) -> Void) throws(GatebookError) {
    do throws(GatebookError) {
      try begin()
      try work()
      try commit()
    } catch {
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Runs statements that bring no rows.
  func execute(_ sql: String) throws(GatebookError) {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw GatebookError.sqlite(status, handle) }
  }

  /// Makes the tables of some versions, the newest of which is the schema then.
  func apply(_ steps: ArraySlice<Migration>) throws(GatebookError) {
    for step in steps { try execute(String(decoding: step.sql, as: UTF8.self)) }
    try execute("PRAGMA user_version = \(steps.endIndex)")
  }

  /// Lets each statement end with an error once the task that runs it is cancelled.
  ///
  /// For who only reads: what is to be recorded is recorded all the same. SQLite asks after so many
  /// of its own steps, in the middle of a long query too; an event takes some twenty.
  func heedCancellation() {
    sqlite3_progress_handler(handle, 16_384, { _ in Task.isCancelled ? 1 : 0 }, nil)
  }

  /// A prepared statement, kept for the next call with the same text; ready to be bound.
  func statement(_ sql: String) throws(GatebookError) -> Statement {
    if let kept = statements[sql] {
      kept.reset()
      return kept
    }
    let made = try Statement(self, sql)
    statements[sql] = made
    return made
  }

  /// Such a statement, with its parameters bound in their order.
  func statement<each Value: Bindable>(
    _ sql: String, _ values: repeat each Value
  ) throws(GatebookError) -> Statement {
    let statement = try statement(sql)
    statement.bindAll(repeat each values)
    return statement
  }

  /// Runs a statement that brings no rows.
  func run<each Value: Bindable>(
    _ sql: String, _ values: repeat each Value
  ) throws(GatebookError) {
    try statement(sql, repeat each values).run()
  }

  /// The rows of a query.
  func rows<each Value: Bindable>(
    _ sql: String, _ values: repeat each Value
  ) throws(GatebookError) -> Rows {
    Rows(of: try statement(sql, repeat each values))
  }

  /// What is read of the first row; `nil` where there is none.
  func first<each Value: Bindable, Found>(
    _ sql: String, _ values: repeat each Value,
    read: (Statement) throws(GatebookError) -> Found?
  ) throws(GatebookError) -> Found? {
    let rows = try rows(sql, repeat each values)
    guard let row = try rows.next() else { return nil }
    return try read(row)
  }

  /// What is read of all rows, without those that `read` skips.
  func all<each Value: Bindable, Found>(
    _ sql: String, _ values: repeat each Value,
    read: (Statement) throws(GatebookError) -> Found?
  ) throws(GatebookError) -> [Found] {
    let rows = try rows(sql, repeat each values)
    var found: [Found] = []
    while let row = try rows.next() {
      if let one = try read(row) { found.append(one) }
    }
    return found
  }

  /// What is read of all rows, by the name in each; of equal names the last row counts.
  func table<each Value: Bindable, Name: Hashable, Found>(
    _ sql: String, _ values: repeat each Value,
    read: (Statement) throws(GatebookError) -> (Name, Found)?
  ) throws(GatebookError) -> [Name: Found] {
    Dictionary(try all(sql, repeat each values, read: read)) { $1 }
  }

  /// Whether a query brings a row.
  func has<each Value: Bindable>(
    _ sql: String, _ values: repeat each Value
  ) throws(GatebookError) -> Bool {
    try first(sql, repeat each values) { _ in true } ?? false
  }

  /// The integer in the first column of the first row; 0 where there is none.
  func integer<each Value: Bindable>(
    _ sql: String, _ values: repeat each Value
  ) throws(GatebookError) -> Int64 {
    try first(sql, repeat each values) { $0.integer(0) } ?? 0
  }

  /// The text in the first column of the first row.
  func text(_ sql: String) throws(GatebookError) -> String {
    try first(sql) { $0.text(0) } ?? ""
  }

  /// Whether the book has a table of those that are never dropped: one that an older Gatebook wrote
  /// last has not all of them.
  func has(table: String) throws(GatebookError) -> Bool {
    if tables.contains(table) { return true }
    let query = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1"
    guard try has(query, table) else { return false }
    tables.insert(table)
    return true
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}
