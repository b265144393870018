internal import GatebookEvents

/// Compares the rows of the past with what a fold of the log makes; writes nothing.
final class RollupComparison: RollupRows {
  private let connection: Connection
  private let stored: StoredSnapshots
  private var blocks: Int64 = 0
  private var snapshots: Int64 = 0
  private(set) var problems: [String] = []
  // Where all are wrong they need not all be told.
  private static let maximumProblems = 20

  /// Makes one for the whole log, or for the stream of one account.
  init(_ connection: Connection, of account: AccountID?) throws(GatebookError) {
    self.connection = connection
    stored = try StoredSnapshots(connection, isWhole: account == nil)
  }

  func take(_ block: Block) throws(GatebookError) {
    blocks += 1
    guard try BlockRows(connection).block(block.level, block.number) != block else { return }
    add(block.summary)
  }

  func take(_ snapshot: Snapshot) throws(GatebookError) {
    snapshots += 1
    guard try stored.holds(snapshot) else {
      return add("The snapshot at position \(snapshot.position)")
    }
  }

  /// Compares what is known only at the end of the log.
  ///
  /// - Parameters:
  ///   - tallies: The counters of the whole log.
  ///   - account: Whose stream was folded; `nil` for the whole log.
  /// - Throws: `storage` failures.
  func finish(_ tallies: [TallyKey: Int64], of account: AccountID?) throws(GatebookError) {
    guard account == nil else { return try compareCount("snapshot", snapshots, of: account) }
    try compareCount("snapshot", snapshots, of: nil)
    try compareCount("block", blocks, of: nil)
    // Where the rows themselves are wrong, their index is what follows from them.
    if problems.isEmpty, try !stored.haveRightIndex() { add("The index of the snapshots") }
    let tallied = try connection.table("SELECT part, number, kind, events FROM tally") { row in
      (
        TallyKey(part: row.integer(0), number: row.integer(1), kind: row.integer(2)),
        row.integer(3)
      )
    }
    guard tallied != tallies else { return }
    add("The count of the events")
  }

  private func compareCount(
    _ table: String, _ count: Int64, of account: AccountID?
  ) throws(GatebookError) {
    let stream =
      account == nil ? "" : "WHERE account = (SELECT number FROM account WHERE id = ?1)"
    let stored = try connection.integer("SELECT count(*) FROM \(table) \(stream)", account)
    guard stored > count else { return }
    problems.append("The book holds a \(table) of earlier events that are not in the log.")
  }

  private func add(_ what: String) {
    guard problems.count < Self.maximumProblems else { return }
    problems.append("\(what) differs from the log.")
  }
}
