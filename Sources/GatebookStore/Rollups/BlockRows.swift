internal import GatebookEvents

/// Reads the rows of blocks.
struct BlockRows: BookTables {
  let connection: Connection

  /// How many blocks of a level there are; they have no gaps.
  func count(_ level: Int64) throws(GatebookError) -> Int64 {
    try connection.integer("SELECT max(number) + 1 FROM block WHERE level = ?1", level)
  }

  /// A block; `nil` where there is none.
  func block(_ level: Int64, _ number: Int64) throws(GatebookError) -> Block? {
    try connection.first(
      "SELECT number, earliest, latest, kinds FROM block WHERE level = ?1 AND number = ?2", level,
      number
    ) { Self.block(level, $0) }
  }

  /// The block in a row of its number, times and kinds.
  private static func block(_ level: Int64, _ row: Statement) -> Block {
    Block(
      level: level, number: row.integer(0), earliest: row.integer(1), latest: row.integer(2),
      kinds: row.integer(3))
  }

  /// Whether there are blocks of events that the log does not have: the events before them would
  /// count as known.
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
    let rows = try connection.rows(
      """
      SELECT number, earliest, latest, kinds FROM block
      WHERE level = ?1 AND number >= ?2 AND number < ?3
      """, Block.levels.lower, number * Block.size, (number + 1) * Block.size)
    while let row = try rows.next() {
      upper.add(Self.block(Block.levels.lower, row))
    }
    return upper
  }
}
