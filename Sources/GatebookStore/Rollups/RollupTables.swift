internal import GatebookEvents

/// Writes the rows of the past.
final class RollupTables: RollupRows {
  private let connection: Connection
  private var insertSnapshot = KeptStatement("INSERT INTO snapshot VALUES (?1, ?2, ?3)")
  private var insertBlock = KeptStatement("INSERT INTO block VALUES (?1, ?2, ?3, ?4, ?5)")
  private var addTally = KeptStatement(
    """
    INSERT INTO tally VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET events = events + ?4
    """)

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Removes all rows, or the snapshots of one account.
  func clear(of account: AccountID?) throws(GatebookError) {
    if let account {
      return try connection.run(
        "DELETE FROM snapshot WHERE account = (SELECT number FROM account WHERE id = ?1)",
        account.bytes)
    }
    for table in ["block", "tally", "snapshot"] {
      try connection.execute("DELETE FROM \(table)")
    }
  }

  func take(_ block: Block) throws(GatebookError) {
    try insertBlock.on(connection).run(
      block.level, block.number, block.earliest, block.latest, block.kinds)
  }

  func take(_ snapshot: Snapshot) throws(GatebookError) {
    // One by one: a list of values of many types is too slow for every eighth event.
    let statement = try insertSnapshot.on(connection)
    statement.bind(1, snapshot.account)
    statement.bind(2, snapshot.position)
    statement.bind(3, snapshot.state)
    try statement.run()
  }

  /// Adds to the counters.
  func add(_ tallies: [TallyKey: Int64]) throws(GatebookError) {
    for (key, count) in tallies {
      try addTally.on(connection).run(key.part, key.number, key.kind, count)
    }
  }

  /// The number of the next block of level 8 to be made.
  func nextBlock() throws(GatebookError) -> Int64 {
    // Blocks begin with the one of the log's first event.
    max(
      try BlockRows(connection).count(Block.levels.lower),
      (try Baseline.read(connection)?.floor ?? 0) / Block.size)
  }
}
