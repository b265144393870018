internal import GatebookCrypto
internal import GatebookEvents

/// The state that a recovered book goes on from.
///
/// Where no event is lost it is what the log makes. Else the damaged book's own projections are nearer to
/// the truth than a fold over a log with holes, or over one whose beginning was changed; only what is lost
/// of them too is folded from what is left.
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
    var hasBeginning = true
    // What was counted before the log begins may be whole where the states are not.
    let counted = try? OpeningRows(connection).tallies()
    var log = FoldedLog()
    do throws(GatebookError) {
      try Self.checkBeginning(connection)
      guard counted != nil else { throw Self.damaged }
      log = try FoldedLog(connection, of: nil)
    } catch {
      // The log alone does not say any more how everything is.
      hasBeginning = false
      try connection.execute("DELETE FROM opening; DELETE FROM opening_row")
    }
    let begun = try OpeningRows(connection).tallies().isEmpty ? counted ?? [:] : [:]
    let rollup = try Rollup(rows, connection, of: nil)
    _ = try LogScan(connection).fold(into: &log.fold, after: log.end, rollup)
    rollup.countRest()
    fold = log.fold
    tallies = rollup.tallies.merging(begun, uniquingKeysWith: +)
    guard !isWhole || !hasBeginning else { return }
    guard hasProjections || !hasBeginning else {
      stale = fold.accounts.keys.sorted()
      return
    }
    try takeProjections(connection)
  }

  /// The rows of the state that the book began with make the root that was kept of them.
  private static func checkBeginning(_ connection: Connection) throws(GatebookError) {
    guard let opening = try Opening.read(connection) else { return }
    guard try OpeningRows(connection).root(SHA256()) == opening.state else {
      throw Self.damaged
    }
  }

  private static var damaged: GatebookError {
    .storageDamaged("The state that the book begins with is damaged.")
  }

  /// Takes the rows that are what a fold writes; of others what the log has stays.
  private mutating func takeProjections(_ connection: Connection) throws(GatebookError) {
    var missing: Set<AccountID> = []
    try forEach("SELECT id, '{}', id FROM account", connection) { id, _, _ in
      if let account = AccountID(bytes: id) { missing.insert(account) }
    }
    missing.formUnion(fold.accounts.keys)
    try forEach(
      """
      SELECT a.id, s.state, a.id FROM account_state s JOIN account a ON a.number = s.account
      ORDER BY s.account
      """, connection
    ) { id, row, _ in
      guard let account = AccountID(bytes: id),
        let state = Facts(decoding: row).flatMap(AccountState.init(record:)),
        state.record.encoded == row, state.revision >= fold.state(of: account)?.revision ?? 0
      else { return }
      missing.remove(account)
      fold.put(state, of: account)
    }
    stale = try missing.union(takeSessions(connection)).sorted()
    try forEach("SELECT x'', state, x'' FROM roster", connection) { _, row, _ in
      // The last switch that the log has is nearer to the truth than an account that there is not.
      guard let roster = Facts(decoding: row).map(Roster.init(record:)),
        roster.record.encoded == row, roster.current.map({ fold.holds($0) }) ?? true
      else { return }
      fold.put(roster)
    }
  }

  /// Takes the sessions' rows.
  ///
  /// - Returns: The accounts of those that cannot be read, and that no account's state tells.
  private mutating func takeSessions(_ connection: Connection) throws(GatebookError) -> [AccountID]
  {
    var taken: Set<SessionID> = []
    var unreadable: [SessionID: AccountID] = [:]
    try forEach(
      """
      SELECT s.id, r.state, a.id FROM session_state r JOIN session s ON s.number = r.session
      JOIN account a ON a.number = r.account
      """, connection
    ) { id, row, owner in
      guard let session = SessionID(bytes: id), let account = AccountID(bytes: owner) else {
        return
      }
      guard let record = Facts(decoding: row).flatMap(SessionRecord.init(record:)),
        record.record.encoded == row, record.account == account
      else {
        unreadable[session] = account
        return
      }
      taken.insert(session)
      fold.put(record, of: session)
    }
    // What an account's own session is stands in the account's state too.
    for (account, state) in fold.accounts {
      guard let session = state.session, !taken.contains(session),
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
    let rows = try connection.statement(sql)
    defer { rows.reset() }
    while try rows.step() { body(rows.bytes(0), rows.bytes(1), rows.bytes(2)) }
  }
}
