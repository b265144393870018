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
    let stored = try ProjectionRows(connection).stored()
    var missing = Set(fold.accounts.keys)
    for (row, _) in stored where row.part == BaselineState.account {
      guard let account = AccountID(bytes: row.name),
        let state: AccountState = Self.state(row), state.revision <= BookRecovery.maximum,
        state.revision >= fold.state(of: account)?.revision ?? 0,
        !onlyMissing || !folded.holds(account)
      else { continue }
      missing.remove(account)
      if onlyMissing { missing.insert(account) }
      fold.put(state, of: account)
    }
    stale = missing.union(takeSessions(stored, folded, onlyMissing)).sorted()
    for (row, _) in stored where row.part == BaselineState.roster {
      // The last switch that the log has is nearer to the truth than an account that there is not.
      guard let roster: Roster = Self.state(row), roster.current.map({ fold.holds($0) }) ?? true,
        !onlyMissing || !folded.changes.roster
      else { continue }
      fold.put(roster)
    }
  }

  /// Takes the sessions' rows.
  ///
  /// - Returns: The accounts of those that cannot be read, and that no account's state tells.
  private mutating func takeSessions(
    _ stored: [(row: BaselineState.Row, owner: [UInt8])], _ folded: BookFold, _ onlyMissing: Bool
  ) -> [AccountID] {
    var taken: Set<SessionID> = []
    var unreadable: [SessionID: AccountID] = [:]
    for (row, owner) in stored where row.part == BaselineState.session {
      // A session of an account without a state would be nobody's.
      guard let session = SessionID(bytes: row.name), let account = AccountID(bytes: owner),
        fold.holds(account), !onlyMissing || !folded.holds(session)
      else { continue }
      guard let record: SessionRecord = Self.state(row), record.account == account else {
        unreadable[session] = account
        continue
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

  /// What a row holds, if it is what a fold writes.
  private static func state<State: FoldedRow>(_ row: BaselineState.Row) -> State? {
    row.state.withUnsafeBytes(State.init(decoding:)).flatMap { $0.encoded == row.state ? $0 : nil }
  }
}
