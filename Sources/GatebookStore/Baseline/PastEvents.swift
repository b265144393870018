internal import GatebookEvents

/// The events that an archive has taken over: they leave the log at once, and the file piece by
/// piece.
///
/// One transaction renames the table and creates an empty one, which costs the same for few events
/// and for millions. Other writers wait only for that. Rows in `past` are not used, and the next
/// process that opens the book for writing removes them.
struct PastEvents: BookTables {
  let connection: Connection

  /// Empties the log, within a transaction.
  func setAside() throws(GatebookError) {
    let schema = try schema()
    for (type, name, _) in schema where type != "table" {
      try connection.execute("DROP \(type) \(name)")
    }
    try connection.execute("DROP TABLE IF EXISTS past")
    try connection.execute("ALTER TABLE event RENAME TO past")
    for (_, _, sql) in schema { try connection.execute(sql) }
  }

  /// Whether there is something to be taken away.
  func isLeft() throws(GatebookError) -> Bool {
    try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'past'") > 0
  }

  /// Takes some of it away, in a transaction.
  ///
  /// - Returns: Whether that was all.
  func clear(upTo count: Int64 = 16_384) throws(GatebookError) -> Bool {
    try connection.execute(
      "DELETE FROM past WHERE position < (SELECT min(position) FROM past) + \(count)")
    guard try connection.integer("SELECT count(*) FROM (SELECT 1 FROM past LIMIT 1)") == 0 else {
      return false
    }
    try connection.execute("DROP TABLE past")
    return true
  }

  /// The statements that made the table and what hangs on it, the table first.
  private func schema() throws(GatebookError) -> [(type: String, name: String, sql: String)] {
    try connection.all(
      """
      SELECT type, name, sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND (tbl_name = 'event' OR name = 'event_log')
      ORDER BY type <> 'table', rowid
      """
    ) { (type: $0.text(0), name: $0.text(1), sql: $0.text(2)) }
  }
}
