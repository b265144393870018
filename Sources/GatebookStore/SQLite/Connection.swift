internal import CSQLite
internal import GatebookEvents

/// One SQLite connection, used by one thread at a time; closed with its last reference.
final class Connection {
  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  private var beginning = KeptStatement("BEGIN IMMEDIATE")
  private var committing = KeptStatement("COMMIT")
  private var tables: Set<String> = []

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
  }

  /// Begins a transaction that writes, waiting for nobody's.
  func begin() throws(GatebookError) { try beginning.on(self).run() }

  func commit() throws(GatebookError) { try committing.on(self).run() }

  /// Runs statements that bring no rows.
  func execute(_ sql: String) throws(GatebookError) {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw GatebookError.sqlite(status, handle) }
  }

  /// Lets each statement end with an error once the task that runs it is cancelled.
  ///
  /// For who only reads: what is to be recorded is recorded all the same. SQLite asks after so many of its
  /// own steps, in the middle of a long query too; an event takes some twenty.
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

  /// The integer in the first column of the only row.
  func integer(_ sql: String) throws(GatebookError) -> Int64 {
    let statement = try statement(sql)
    defer { statement.reset() }
    guard try statement.step() else { return 0 }
    return statement.integer(0)
  }

  /// The text in the first column of the only row.
  func text(_ sql: String) throws(GatebookError) -> String {
    let statement = try statement(sql)
    defer { statement.reset() }
    guard try statement.step() else { return "" }
    return statement.text(0)
  }

  /// Whether the book has a table of those that are never dropped: one that an older Gatebook wrote last has
  /// not all of them.
  func has(table: String) throws(GatebookError) -> Bool {
    if tables.contains(table) { return true }
    let row = try statement("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1")
    row.bind(1, table)
    defer { row.reset() }
    guard try row.step() else { return false }
    tables.insert(table)
    return true
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}
