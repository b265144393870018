internal import GatebookEvents

/// The stored snapshots, met one after the other beside a fold that makes them again.
///
/// A writer adds them in the order of the log, so the next one is nearly always the one that the
/// fold has just made. Only those that are elsewhere are looked up by their index, which takes
/// several times as long.
final class StoredSnapshots {
  private let connection: Connection
  /// The rows in their own order; `nil` where only one stream is folded.
  private let rows: Statement?
  private var lookup = KeptStatement(
    "SELECT state, rowid FROM snapshot WHERE account = ?1 AND position = ?2")
  private var hasStarted = false
  private var hasRow = false
  /// What the index must hold of the rows that were met.
  private var entries = EntrySum()

  /// Begins before the first one.
  ///
  /// - Parameters:
  ///   - connection: The book.
  ///   - isWhole: Whether the whole log is folded, and not one stream alone.
  /// - Throws: `storage` failures.
  init(_ connection: Connection, isWhole: Bool) throws(GatebookError) {
    self.connection = connection
    rows =
      isWhole
      ? try Statement(
        connection,
        "SELECT account, position, state, rowid FROM snapshot NOT INDEXED ORDER BY rowid"
      ) : nil
  }

  /// Whether a snapshot is stored as it is here; each is asked for once, in the order of the log.
  func holds(_ snapshot: Snapshot) throws(GatebookError) -> Bool {
    if let rows, try isNext(snapshot, rows) {
      let isSame = rows.holds(snapshot.state, at: 2)
      note(snapshot, rows.integer(3))
      hasRow = try rows.step()
      return isSame
    }
    let found = try lookup.on(connection)
    found.bind(1, snapshot.account)
    found.bind(2, snapshot.position)
    defer { found.reset() }
    guard try found.step() else { return false }
    note(snapshot, found.integer(1))
    return found.holds(snapshot.state, at: 0)
  }

  /// Whether the index leads to the rows that were met, and nowhere else.
  ///
  /// A row that was not looked up says nothing of the index, by which readers find it.
  func haveRightIndex() throws(GatebookError) -> Bool {
    var index = EntrySum()
    try connection.scan(
      "account, position, rowid", "snapshot INDEXED BY snapshot_of_account"
    ) { row in
      index.add(
        UInt64(bitPattern: row.integer(0)), UInt64(bitPattern: row.integer(1)), at: row.integer(2))
      return true
    }
    return index == entries
  }

  /// Whether the row at hand is that of a snapshot; what should have come before it is passed over.
  private func isNext(_ snapshot: Snapshot, _ rows: Statement) throws(GatebookError) -> Bool {
    if !hasStarted {
      hasStarted = true
      hasRow = try rows.step()
    }
    while hasRow, rows.integer(1) < snapshot.position { hasRow = try rows.step() }
    return hasRow && rows.integer(1) == snapshot.position && rows.integer(0) == snapshot.account
  }

  private func note(_ snapshot: Snapshot, _ row: Int64) {
    entries.add(
      UInt64(bitPattern: snapshot.account), UInt64(bitPattern: snapshot.position), at: row)
  }
}
