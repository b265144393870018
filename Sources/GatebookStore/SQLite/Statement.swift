internal import CSQLite
internal import GatebookEvents
internal import GatebookSystem

/// One prepared statement; finalised with its last reference.
final class Statement: RowValues {
  let handle: OpaquePointer
  private unowned let connection: Connection

  init(_ connection: Connection, _ sql: String) throws(GatebookError) {
    var handle: OpaquePointer?
    let status = sqlite3_prepare_v3(
      connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard status == SQLITE_OK, let handle else {
      throw GatebookError.sqlite(status, connection.handle)
    }
    self.handle = handle
    self.connection = connection
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Binds all parameters in their order.
  func bindAll<each Value: Bindable>(_ values: repeat each Value) {
    var index: Int32 = 0
    for value in repeat each values {
      index += 1
      value.bind(to: self, at: index)
    }
  }

  func bind(_ index: Int32, _ value: some Bindable) {
    value.bind(to: self, at: index)
  }

  /// Binds a blob without copying it: its bytes must stay until the statement has run.
  func bind(_ index: Int32, lent bytes: UnsafeRawBufferPointer) {
    sqlite3_bind_blob(
      handle, index, bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count), nil)
  }

  /// Binds a text without copying it: its bytes must stay until the statement has run.
  func bind(_ index: Int32, lentText bytes: UnsafeRawBufferPointer) {
    sqlite3_bind_text(
      handle, index, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
      Int32(truncatingIfNeeded: bytes.count), nil)
  }

  func bindNull(_ index: Int32) {
    sqlite3_bind_null(handle, index)
  }

  /// Steps once; whether there is a row to read.
  func step() throws(GatebookError) -> Bool {
    let status = sqlite3_step(handle)
    switch status {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let error = GatebookError.sqlite(status, connection.handle)
      sqlite3_reset(handle)
      throw error
    }
  }

  /// Runs a statement that brings no row and makes it ready again.
  func run() throws(GatebookError) {
    while try step() {}
    sqlite3_reset(handle)
  }

  /// Binds all parameters and runs it.
  func run<each Value: Bindable>(_ values: repeat each Value) throws(GatebookError) {
    bindAll(repeat each values)
    try run()
  }

  func reset() {
    sqlite3_reset(handle)
  }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// The column's bytes, valid until the next step.
  func raw(_ column: Int32) -> UnsafeRawBufferPointer {
    // sqlite3_column_blob gives a text's bytes too, without converting them.
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }
}

/// The rows of a query, one after the other; once they are gone, what it read is let go.
struct Rows: ~Copyable {
  private let statement: Statement

  init(of statement: Statement) {
    self.statement = statement
  }

  deinit {
    statement.reset()
  }

  /// The next row, good until the one after it; `nil` after the last one.
  func next() throws(GatebookError) -> Statement? { try statement.step() ? statement : nil }
}

/// A statement that is prepared when it is first needed and kept beside the code that runs it: the
/// hot path looks nothing up by its text.
struct KeptStatement {
  private let sql: String
  private var statement: Statement?

  init(_ sql: String) {
    self.sql = sql
  }

  /// The statement, ready to be bound; always on the same connection.
  mutating func on(_ connection: Connection) throws(GatebookError) -> Statement {
    if let statement { return statement }
    let made = try Statement(connection, sql)
    statement = made
    return made
  }
}
