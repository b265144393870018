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
      let statement = try connection.statement(
        "DELETE FROM snapshot WHERE account = (SELECT number FROM account WHERE id = ?1)")
      statement.bind(1, account.bytes)
      return try statement.run()
    }
    for table in ["block", "tally", "snapshot"] {
      try connection.execute("DELETE FROM \(table)")
    }
  }

  func take(_ block: Block) throws(GatebookError) {
    let statement = try insertBlock.on(connection)
    statement.bind(1, block.level)
    statement.bind(2, block.number)
    statement.bind(3, block.earliest)
    statement.bind(4, block.latest)
    statement.bind(5, block.kinds)
    try statement.run()
  }

  func take(_ snapshot: Snapshot) throws(GatebookError) {
    let statement = try insertSnapshot.on(connection)
    statement.bind(1, snapshot.account)
    statement.bind(2, snapshot.position)
    statement.bind(3, snapshot.state)
    try statement.run()
  }

  /// Adds to the counters.
  func add(_ tallies: [TallyKey: Int64]) throws(GatebookError) {
    for (key, count) in tallies {
      let statement = try addTally.on(connection)
      statement.bind(1, key.part)
      statement.bind(2, key.number)
      statement.bind(3, key.kind)
      statement.bind(4, count)
      try statement.run()
    }
  }

  /// The number of the next block of level 8 to be made.
  func nextBlock() throws(GatebookError) -> Int64 {
    // Blocks begin with the one that the first event of the log stands in.
    max(
      try BlockRows(connection).count(Block.levels.lower),
      (try Opening.read(connection)?.floor ?? 0) / Block.size)
  }
}
