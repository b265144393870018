internal import CSQLite
internal import GatebookEvents

/// Opens connections with the settings a book needs, and reads each one back.
enum WriterConnection {
  /// How long SQLite's own locks are waited for, in milliseconds.
  static let patience: Int32 = 2000

  static func open(_ file: BookFile) throws(GatebookError) -> Connection {
    let connection = try Connection.open(
      file.path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX)
    // SQLite opens a file that cannot be written for reading, and would tell us at the first
    // commit.
    guard sqlite3_db_readonly(connection.handle, "main") == 0 else {
      throw GatebookError.sqlite(SQLITE_READONLY, nil)
    }
    guard gatebook_keep_wal_on_close(connection.handle) == SQLITE_OK else {
      throw setting("NO_CKPT_ON_CLOSE")
    }
    // The writer lock keeps writers apart; a reader that recovers the WAL holds SQLite's own locks
    // for a moment.
    sqlite3_busy_timeout(connection.handle, patience)
    return connection
  }

  /// Only after it is sure that the book is ours and not newer: some settings write.
  static func configure(_ connection: Connection) throws(GatebookError) {
    guard try connection.text("PRAGMA journal_mode=WAL") == "wal" else {
      throw setting("journal_mode")
    }
    // The WAL-reset race of SQLite up to 3.51.2: WAL checkpoints happen only under the writer lock.
    try connection.execute("PRAGMA wal_autocheckpoint=0")
    try connection.execute("PRAGMA synchronous=FULL")
    guard try connection.integer("PRAGMA synchronous") == 2 else { throw setting("synchronous") }
    try connection.execute("PRAGMA secure_delete=ON")
    guard try connection.integer("PRAGMA secure_delete") == 1 else {
      throw setting("secure_delete")
    }
    try connection.execute("PRAGMA mmap_size=0")
    try connection.execute("PRAGMA trusted_schema=OFF")
    try connection.execute("PRAGMA cache_size=-16384")
  }

  private static func setting(_ name: String) -> GatebookError {
    GatebookError(
      .storageUnreadable, "SQLite rejected a setting that the book needs: \(name).",
      remedy: "Keep the book on a local disk.")
  }
}

/// How many frames the WAL held after the last commit of a connection.
final class WALFrames {
  var count: Int32 = 0

  /// Takes SQLite's hook, which replaces its automatic WAL checkpoints.
  ///
  /// This object must exist as long as the connection commits.
  func watch(_ connection: Connection) {
    sqlite3_wal_hook(
      connection.handle,
      { context, _, _, frames in
        guard let context else { return SQLITE_OK }
        Unmanaged<WALFrames>.fromOpaque(context).takeUnretainedValue().count = frames
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
