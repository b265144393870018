internal import GatebookEvents

/// Reads the rows of the projections; a row that cannot be read is damage, never "no account".
struct ProjectionRows: BookTables {
  let connection: Connection

  func roster() throws(GatebookError) -> Roster {
    try connection.first(
      "SELECT state FROM roster WHERE one = 1",
      read: { (row) throws(GatebookError) in try Self.kept(row) }) ?? Roster()
  }

  /// The roster as it was after a position; `nil` where no switch before it is in the log.
  func roster(asOf position: Position) throws(GatebookError) -> Roster? {
    try connection.first(
      """
      SELECT state FROM snapshot WHERE account = 0 AND position <= ?1
      ORDER BY position DESC LIMIT 1
      """, position, read: { (row) throws(GatebookError) in try Self.packed(row) })
  }

  /// The last snapshot of an account up to a position, and the event that it was taken after.
  func account(
    _ id: AccountID, asOf position: Position
  ) throws(GatebookError) -> (state: AccountState, end: Position)? {
    try connection.first(
      """
      SELECT s.state, s.position FROM account a JOIN snapshot s ON s.account = a.number
      WHERE a.id = ?1 AND s.position <= ?2 ORDER BY s.position DESC LIMIT 1
      """, id, position
    ) { (row) throws(GatebookError) in
      (try Self.packed(row), Position(rawValue: row.integer(1)))
    }
  }

  func account(_ id: AccountID) throws(GatebookError) -> AccountState? {
    try connection.first(
      """
      SELECT s.state FROM account a JOIN account_state s ON s.account = a.number WHERE a.id = ?1
      """, id, read: { (row) throws(GatebookError) in try Self.kept(row) })
  }

  func session(_ id: SessionID) throws(GatebookError) -> SessionRecord? {
    try connection.first(
      """
      SELECT r.state FROM session s JOIN session_state r ON r.session = s.number WHERE s.id = ?1
      """, id, read: { (row) throws(GatebookError) in try Self.kept(row) })
  }

  /// All accounts in the order in which they were added.
  func accounts() throws(GatebookError) -> [(id: AccountID, state: AccountState)] {
    try all(
      """
      SELECT a.id, s.state FROM account_state s JOIN account a ON a.number = s.account
      ORDER BY s.account
      """)
  }

  /// All sessions in the order in which they came into the book.
  func sessions() throws(GatebookError) -> [(id: SessionID, state: SessionRecord)] {
    try all(
      """
      SELECT s.id, r.state FROM session_state r JOIN session s ON s.number = r.session
      ORDER BY r.session
      """)
  }

  /// The rows as they are stored, and whose they are; one that belongs to nobody has no name.
  ///
  /// - Parameter account: Only this account's; `nil` for all, and the roster.
  /// - Returns: The rows in no order.
  /// - Throws: `storage` failures.
  func stored(
    of account: AccountID? = nil
  ) throws(GatebookError) -> [(row: BaselineState.Row, owner: [UInt8])] {
    try connection.all(
      account == nil ? Self.stored : "SELECT * FROM (\(Self.stored)) WHERE owner = ?1", account
    ) { row in
      (BaselineState.Row(part: row.text(0), name: row.bytes(1), state: row.bytes(2)), row.bytes(3))
    }
  }

  /// Whether the stored rows are those of a fold of the whole log, and no others.
  func areRows(of fold: BookFold) throws(GatebookError) -> Bool {
    var count = 0
    let rows = try connection.rows(Self.stored)
    while let row = try rows.next() {
      let folded: [UInt8]?
      switch row.text(0) {
      case BaselineState.account:
        folded = AccountID(bytes: row.raw(1)).flatMap { fold.state(of: $0) }?.encoded
      case BaselineState.session:
        let record = SessionID(bytes: row.raw(1)).flatMap { fold.record(of: $0) }
        guard let record, record.account.bytes.elementsEqual(row.raw(3)) else { return false }
        folded = record.encoded
      default: folded = fold.changes.roster ? fold.roster.encoded : nil
      }
      guard let folded, folded.elementsEqual(row.raw(2)) else { return false }
      count += 1
    }
    let all = BookFold.Changes(all: fold)
    return count == all.accounts.count + all.sessions.count + (all.roster ? 1 : 0)
  }

  private static let stored = """
    SELECT 'account', a.id, s.state, a.id AS owner FROM account_state s
      LEFT JOIN account a ON a.number = s.account
    UNION ALL
    SELECT 'session', s.id, r.state, a.id FROM session_state r
      LEFT JOIN session s ON s.number = r.session LEFT JOIN account a ON a.number = r.account
    UNION ALL
    SELECT 'roster', x'', state, NULL FROM roster
    """

  private func all<ID: Identity, Row: FoldedRow>(
    _ sql: String
  ) throws(GatebookError) -> [(id: ID, state: Row)] {
    try connection.all(sql) { (row) throws(GatebookError) in
      guard let id = ID(bytes: row.raw(0)) else { throw Self.damaged }
      return (id, try Self.kept(row, 1))
    }
  }

  private static func kept<Row: FoldedRow>(
    _ row: Statement, _ column: Int32 = 0
  ) throws(GatebookError) -> Row {
    guard let state = Row(decoding: row.raw(column)) else { throw Self.damaged }
    return state
  }

  private static func packed<Row: FoldedRow>(_ row: Statement) throws(GatebookError) -> Row {
    guard let state = Row(packed: row.raw(0)) else { throw Self.damaged }
    return state
  }

  private static var damaged: GatebookError {
    GatebookError(
      .storageDamaged, "A stored state of the book is damaged.",
      kept: "The log itself is not affected.",
      remedy:
        "Check the book with `BookVerifier`, then compute its states again with "
        + "`SessionBook.rebuild(_:)`.")
  }
}
