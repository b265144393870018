internal import CSQLite
internal import GatebookEvents

/// A draft that becomes a book's archive.
extension DraftFile {
  /// Copies the book as it is now; its writers continue meanwhile.
  ///
  /// - Parameters:
  ///   - book: The book.
  ///   - progress: Told how many pages are copied, and of how many.
  /// - Throws: `storage.full` without room; `cancelled`; other `storage` failures.
  func copy(
    _ book: BookFile, progress: @Sendable (Int64, Int64) -> Void
  ) throws(GatebookError) {
    let source = try ReaderConnection.open(book)
    // Held to the end: with a fixed state SQLite does not restart when somebody writes.
    try source.execute("BEGIN")
    defer { try? source.execute("COMMIT") }
    _ = try source.integer("SELECT size FROM head WHERE one = 1")
    try copy(source, progress: progress)
    let target = try connect()
    // A file without a log beside it: nobody who reads it later needs to write anything.
    guard try target.text("PRAGMA journal_mode=DELETE") == "delete" else {
      throw purpose.failure(SQLITE_CANTOPEN, target.handle)
    }
  }

  /// Takes over what was written to the book since it was copied.
  ///
  /// - Parameters:
  ///   - book: The book; nobody writes to it.
  ///   - end: The last event of the copy.
  /// - Returns: A connection to the copy.
  /// - Throws: `storage` failures.
  func catchUp(
    with book: BookFile, after end: Int64
  ) throws(GatebookError) -> Connection {
    let connection = try connect(flags: SQLITE_OPEN_URI)
    let attach = try Statement(connection, "ATTACH ?1 AS book")
    attach.bind(1, "file:\(ReaderConnection.escape(book.path))?mode=ro")
    try attach.run()
    // An interrupted copy is discarded, so it needs no journal beside it. A key that was destroyed
    // meanwhile must be nowhere in the copy.
    try connection.execute(
      "PRAGMA main.journal_mode=MEMORY; PRAGMA secure_delete=ON; BEGIN IMMEDIATE")
    // Events, and what is made of full blocks of them, are only ever added.
    let added = [
      "event": "position > \(end)", "snapshot": "position > \(end)",
      "subtree": "(number + 1) << level > \(end)", "block": "(number + 1) << level > \(end)",
    ]
    for table in try tables(connection) where table != "archive" && table != "past" {
      if let condition = added[table] {
        try connection.execute(
          "INSERT INTO main.\(table) SELECT * FROM book.\(table) WHERE \(condition)")
      } else {
        try connection.execute("DELETE FROM main.\(table)")
        try connection.execute("INSERT INTO main.\(table) SELECT * FROM book.\(table)")
      }
    }
    try connection.execute("COMMIT")
    try connection.execute("DETACH book")
    return connection
  }

  private func tables(_ connection: Connection) throws(GatebookError) -> [String] {
    try connection.all(
      """
      SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
      """
    ) { $0.text(0) }
  }
}
