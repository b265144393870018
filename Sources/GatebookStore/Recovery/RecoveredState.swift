internal import GatebookCrypto
internal import GatebookEvents

/// The state that a recovered book continues.
///
/// If no event is lost, it is the fold of the log. Otherwise the damaged book's own projections are
/// nearer to the truth than a fold over a log with gaps or a changed beginning. Only lost
/// projections are folded from the events that are left.
struct RecoveredState {
  private(set) var fold: BookFold
  let tallies: [TallyKey: Int64]
  /// Whether what the book began with is what it was; nothing of it is taken otherwise.
  let hasBeginning: Bool
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
    var log = FoldedLog()
    if let begun = try Self.beginning(connection) {
      log = begun
      hasBeginning = true
    } else {
      // The log alone does not say any more how everything is.
      hasBeginning = false
      try connection.execute("DELETE FROM opening; DELETE FROM opening_row")
    }
    tallies = try log.foldRest(connection)
    fold = log.fold
    guard !isWhole || !hasBeginning else { return }
    let isKnown = hasProjections || !hasBeginning
    try takeProjections(connection, onlyMissing: !isKnown)
  }

  /// What the book began with; `nil` where its rows do not make the root that was kept of them.
  private static func beginning(_ connection: Connection) throws(GatebookError) -> FoldedLog? {
    let rows = BaselineRows(connection)
    do throws(GatebookError) {
      let baseline = try Baseline.read(connection)
      let isRight =
        if let baseline { try rows.root(SHA256()) == baseline.state } else {
          try connection.integer("SELECT count(*) FROM opening_row") == 0
        }
      guard isRight else { return nil }
      _ = try rows.tallies()
      return try FoldedLog(connection, of: nil)
    } catch  where error.code == .storageDamaged {
      return nil
    }
  }

  /// Takes the rows that are what a fold writes; of others what the log has stays.
  ///
  /// - Parameters:
  ///   - connection: The new book.
  ///   - onlyMissing: Whether only what the log says nothing of is taken: where it is not known
  ///     which version's folds made the rows.
  /// - Throws: `storage` failures.
  private mutating func takeProjections(
    _ connection: Connection, onlyMissing: Bool
  ) throws(GatebookError) {
    let folded = fold
    var missing = Set(fold.accounts.keys)
    try forEach(
      """
      SELECT a.id, s.state, a.id FROM account_state s JOIN account a ON a.number = s.account
      ORDER BY s.account
      """, connection
    ) { id, row, _ in
      guard let account = AccountID(bytes: id),
        let state = row.withUnsafeBytes(AccountState.init(decoding:)),
        state.encoded == row, state.revision <= BookRecovery.maximum,
        state.revision >= fold.state(of: account)?.revision ?? 0,
        !onlyMissing || !folded.holds(account)
      else { return }
      missing.remove(account)
      if onlyMissing { missing.insert(account) }
      fold.put(state, of: account)
    }
    stale = try missing.union(takeSessions(connection, folded, onlyMissing)).sorted()
    try forEach("SELECT x'', state, x'' FROM roster", connection) { _, row, _ in
      // The last switch that the log has is nearer to the truth than an account that there is not.
      guard let roster = row.withUnsafeBytes(Roster.init(decoding:)),
        roster.encoded == row, roster.current.map({ fold.holds($0) }) ?? true,
        !onlyMissing || !folded.changes.roster
      else { return }
      fold.put(roster)
    }
  }

  /// Takes the sessions' rows.
  ///
  /// - Returns: The accounts of those that cannot be read, and that no account's state tells.
  private mutating func takeSessions(
    _ connection: Connection, _ folded: BookFold, _ onlyMissing: Bool
  ) throws(GatebookError) -> [AccountID] {
    var taken: Set<SessionID> = []
    var unreadable: [SessionID: AccountID] = [:]
    try forEach(
      """
      SELECT s.id, r.state, a.id FROM session_state r JOIN session s ON s.number = r.session
      JOIN account a ON a.number = r.account
      """, connection
    ) { id, row, owner in
      // A session of an account without a state would be nobody's.
      guard let session = SessionID(bytes: id), let account = AccountID(bytes: owner),
        fold.holds(account), !onlyMissing || !folded.holds(session)
      else { return }
      guard let record = row.withUnsafeBytes(SessionRecord.init(decoding:)),
        record.encoded == row, record.account == account
      else {
        unreadable[session] = account
        return
      }
      taken.insert(session)
      fold.put(record, of: session)
    }
    // The account's state also contains its own session.
    for (account, state) in fold.accounts {
      guard let session = state.session, !taken.contains(session),
        !onlyMissing || !folded.holds(session),
        let record = SessionRecord(of: account, state)
      else { continue }
      unreadable[session] = nil
      fold.put(record, of: session)
    }
    return Array(unreadable.values)
  }

  /// Reads rows: a name, a state, and whose it is.
  private func forEach(
    _ sql: String, _ connection: Connection, _ body: ([UInt8], [UInt8], [UInt8]) -> Void
  ) throws(GatebookError) {
    let rows = try connection.rows(sql)
    while let row = try rows.next() { body(row.bytes(0), row.bytes(1), row.bytes(2)) }
  }
}
