internal import GatebookCrypto
internal import GatebookEvents

/// The head of a damaged book, where it was found and agrees with itself.
struct RecoveredHead {
  let frontier: Frontier
  /// The version of the code that folded the projections.
  let folds: Int64

  /// Reads it; `nil` where it is lost.
  init?(_ connection: Connection) throws(GatebookError) {
    let row = try connection.statement("SELECT size, root, frontier, folds FROM head WHERE one = 1")
    defer { row.reset() }
    guard try row.step(), let frontier = Frontier(size: row.integer(0), bytes: row.bytes(2)),
      frontier.root(SHA256())?.bytes == row.bytes(1)
    else { return nil }
    self.frontier = frontier
    folds = row.integer(3)
  }

  /// Replaces it.
  static func write(
    _ connection: Connection, _ frontier: Frontier, _ root: Digest
  ) throws(GatebookError) {
    let row = try connection.statement("INSERT OR REPLACE INTO head VALUES (1, ?1, ?2, ?3, ?4)")
    row.bind(1, frontier.size)
    row.bind(2, root.bytes)
    row.bind(3, frontier.bytes)
    row.bind(4, BookFold.version)
    try row.run()
  }
}
