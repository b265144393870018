internal import GatebookEvents

/// Takes over, of the events that were found, those whose leaf says that they are what they were.
struct SalvagedEvents: BookTables {
  let connection: Connection

  /// Fills the log from `first` to `end`, and keeps older ones beside the state that names them.
  func take(from first: Int64, upTo end: Int64) throws(GatebookError) {
    var test = EventLeaves(connection)
    let rows = try connection.rows(
      "SELECT \(EventLeaves.columns) FROM temp.found WHERE position <= ?1 ORDER BY position", end)
    while let row = try rows.next() {
      try BookRecovery.refuseCancelled()
      guard try test.isRight(row) else { continue }
      let table = row.integer(0) < first ? "opening_event" : "event"
      // One that another one contradicts, such as by the same id, is no event of this log.
      try? connection.run(
        """
        INSERT OR IGNORE INTO \(table) SELECT \(EventLeaves.columns) FROM temp.found
        WHERE position = ?1
        """, row.integer(0))
    }
  }

  /// The greatest position of an event whose leaf is right; 0 where there is none.
  ///
  /// A row number alone says nothing: one flipped bit of it would make events that never were.
  ///
  /// - Parameter limit: How many events the book can have at most.
  /// - Returns: A position up to the limit.
  /// - Throws: `storage` failures.
  func last(upTo limit: Int64) throws(GatebookError) -> Int64 {
    var test = EventLeaves(connection)
    let rows = try connection.rows(
      "SELECT \(EventLeaves.columns) FROM temp.found WHERE position <= ?1 ORDER BY position DESC",
      limit)
    while let row = try rows.next() {
      try BookRecovery.refuseCancelled()
      if try test.isRight(row) { return row.integer(0) }
    }
    return 0
  }
}
