internal import GatebookCrypto
internal import GatebookEvents

/// The head of a log that agrees with itself.
///
/// It computes the root again; appends and questions for the head of a whole book read only the
/// row.
struct LogHead {
  let frontier: Frontier
  let root: Digest
  /// The version of the code that folded the projections.
  let folds: Int64

  /// Reads it; `nil` where it is lost, or its frontier does not fit its size or make its root.
  init?(_ connection: Connection) throws(GatebookError) {
    let rows = try connection.rows("SELECT size, root, frontier, folds FROM head WHERE one = 1")
    guard let row = try rows.next(),
      let frontier = Frontier(size: row.integer(0), bytes: row.bytes(2)),
      case let root = frontier.root(SHA256()), root.bytes == row.bytes(1)
    else { return nil }
    self.frontier = frontier
    self.root = root
    folds = row.integer(3)
  }

  /// Reads that of a book that is whole.
  ///
  /// - Throws: `storage.damaged` where it is not.
  static func whole(_ connection: Connection) throws(GatebookError) -> LogHead {
    guard let head = try LogHead(connection) else {
      throw .storageDamaged("The book's head is damaged.")
    }
    return head
  }

  /// Replaces it.
  static func write(
    _ connection: Connection, _ frontier: Frontier, _ root: Digest
  ) throws(GatebookError) {
    try connection.run(
      "INSERT OR REPLACE INTO head VALUES (1, ?1, ?2, ?3, ?4)", frontier.size, root.bytes,
      frontier.bytes, BookFold.version)
  }
}
