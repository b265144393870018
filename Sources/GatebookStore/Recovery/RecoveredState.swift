internal import GatebookEvents

/// The state that a recovered book goes on from.
///
/// Where no event is lost it is what the log makes. Else the damaged book's own projections are nearer to
/// the truth than a fold over a log with holes; only what is lost of them too is folded from what is left.
struct RecoveredState {
  private(set) var fold: BookFold
  let tallies: [TallyKey: Int64]
  /// Accounts whose last events may be missing from their state.
  private(set) var stale: [AccountID] = []

  /// Makes it of what was found.
  ///
  /// - Parameters:
  ///   - connection: The new book, with all that was found in its tables.
  ///   - hasProjections: Whether the damaged book's projections were made by this version's folds.
  ///   - isWhole: Whether no event is lost.
  /// - Throws: `storage` failures.
  init(
    _ connection: Connection, hasProjections: Bool, isWhole: Bool
  ) throws(GatebookError) {
    let rows = NoRows()
    var log: FoldedLog
    let rollup: Rollup
    do throws(GatebookError) {
      log = try FoldedLog(connection, of: nil)
      rollup = try Rollup(rows, connection, of: nil)
    } catch {
      // What the book began with is damaged too.
      try connection.execute("DELETE FROM opening; DELETE FROM opening_row")
      log = FoldedLog()
      rollup = try Rollup(rows, connection, of: nil)
    }
    _ = try LogScan(connection).fold(into: &log.fold, after: log.end, rollup)
    rollup.countRest()
    fold = log.fold
    tallies = rollup.tallies
    guard !isWhole else { return }
    guard hasProjections else {
      stale = fold.accounts.keys.sorted()
      return
    }
    try takeProjections(connection)
  }

  private mutating func takeProjections(_ connection: Connection) throws(GatebookError) {
    var stored: Set<AccountID> = []
    try forEach(
      """
      SELECT a.id, s.state FROM account_state s JOIN account a ON a.number = s.account
      ORDER BY s.account
      """, connection
    ) { id, facts in
      guard let account = AccountID(bytes: id), let state = AccountState(record: facts),
        state.revision >= fold.state(of: account)?.revision ?? 0
      else { return }
      stored.insert(account)
      fold.put(state, of: account)
    }
    stale = fold.accounts.keys.filter { !stored.contains($0) }.sorted()
    try forEach(
      "SELECT s.id, r.state FROM session_state r JOIN session s ON s.number = r.session",
      connection
    ) { id, facts in
      guard let session = SessionID(bytes: id), let record = SessionRecord(record: facts) else {
        return
      }
      fold.put(record, of: session)
    }
    try forEach("SELECT x'', state FROM roster", connection) { _, facts in
      fold.put(Roster(record: facts))
    }
  }

  /// Reads rows; one that cannot be read is left out.
  private func forEach(
    _ sql: String, _ connection: Connection, _ body: ([UInt8], Facts) -> Void
  ) throws(GatebookError) {
    let rows = try connection.statement(sql)
    defer { rows.reset() }
    while try rows.step() {
      if let facts = Facts(decoding: rows.raw(1)) { body(rows.bytes(0), facts) }
    }
  }
}
