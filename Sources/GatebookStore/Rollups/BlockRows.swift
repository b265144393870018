internal import GatebookEvents

/// Reads the rows of blocks.
struct BlockRows {
  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// How many blocks of a level there are; they have no gaps.
  func count(_ level: Int64) throws(GatebookError) -> Int64 {
    let statement = try connection.statement("SELECT max(number) FROM block WHERE level = ?1")
    statement.bind(1, level)
    defer { statement.reset() }
    guard try statement.step(), let last = statement.optionalInteger(0) else { return 0 }
    return last + 1
  }

  /// A block; `nil` where there is none.
  func block(_ level: Int64, _ number: Int64) throws(GatebookError) -> Block? {
    let statement = try connection.statement(
      "SELECT earliest, latest, kinds FROM block WHERE level = ?1 AND number = ?2")
    statement.bind(1, level)
    statement.bind(2, number)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Block(
      level: level, number: number, earliest: statement.integer(0), latest: statement.integer(1),
      kinds: statement.integer(2))
  }

  /// Whether there are blocks of events that the log does not have: what stands before them would be taken
  /// for known.
  func hasStrangers() throws(GatebookError) -> Bool {
    try connection.integer(
      """
      SELECT count(*) FROM block
      WHERE level IN (\(Block.levels.lower), \(Block.levels.upper))
        AND number >= (SELECT size FROM head) >> level
      """) > 0
  }

  /// The block of level 16 over 256 blocks of level 8.
  func upper(_ number: Int64) throws(GatebookError) -> Block {
    var upper = Block(level: Block.levels.upper, number: number)
    let statement = try connection.statement(
      """
      SELECT number, earliest, latest, kinds FROM block
      WHERE level = ?1 AND number >= ?2 AND number < ?3
      """)
    statement.bind(1, Block.levels.lower)
    statement.bind(2, number * Block.size)
    statement.bind(3, (number + 1) * Block.size)
    defer { statement.reset() }
    while try statement.step() {
      upper.add(
        Block(
          level: Block.levels.lower, number: statement.integer(0), earliest: statement.integer(1),
          latest: statement.integer(2), kinds: statement.integer(3)))
    }
    return upper
  }
}
