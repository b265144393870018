internal import GatebookEvents

/// Reads the rows of the projections; a row that cannot be read is damage, never "no account".
struct ProjectionRows {
  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  func roster() throws(GatebookError) -> Roster {
    let rows = try connection.rows("SELECT state FROM roster WHERE one = 1")
    guard let row = try rows.next() else { return Roster() }
    guard let roster = Roster(decoding: row.raw(0)) else { throw Self.damaged }
    return roster
  }

  /// The roster as it was after a position; `nil` where no switch before it is in the log.
  func roster(asOf position: Position) throws(GatebookError) -> Roster? {
    let rows = try connection.rows(
      """
      SELECT state FROM snapshot WHERE account = 0 AND position <= ?1
      ORDER BY position DESC LIMIT 1
      """, position)
    guard let row = try rows.next() else { return nil }
    guard let roster = Roster(packed: row.raw(0)) else { throw Self.damaged }
    return roster
  }

  /// The last snapshot of an account up to a position, and the event that it was taken after.
  func account(
    _ id: AccountID, asOf position: Position
  ) throws(GatebookError) -> (state: AccountState, end: Position)? {
    let rows = try connection.rows(
      """
      SELECT s.state, s.position FROM account a JOIN snapshot s ON s.account = a.number
      WHERE a.id = ?1 AND s.position <= ?2 ORDER BY s.position DESC LIMIT 1
      """, id, position)
    guard let row = try rows.next() else { return nil }
    guard let state = AccountState(packed: row.raw(0)) else { throw Self.damaged }
    return (state, Position(rawValue: row.integer(1)))
  }

  func account(_ id: AccountID) throws(GatebookError) -> AccountState? {
    let rows = try connection.rows(
      """
      SELECT s.state FROM account a JOIN account_state s ON s.account = a.number WHERE a.id = ?1
      """, id)
    guard let row = try rows.next() else { return nil }
    return try accountState(row, 0)
  }

  func session(_ id: SessionID) throws(GatebookError) -> SessionRecord? {
    let rows = try connection.rows(
      """
      SELECT r.state FROM session s JOIN session_state r ON r.session = s.number WHERE s.id = ?1
      """, id)
    guard let row = try rows.next() else { return nil }
    return try sessionRecord(row, 0)
  }

  /// All accounts in the order in which they were added.
  func accounts() throws(GatebookError) -> [(id: AccountID, state: AccountState)] {
    let rows = try connection.rows(
      """
      SELECT a.id, s.state FROM account_state s JOIN account a ON a.number = s.account
      ORDER BY s.account
      """)
    var found: [(id: AccountID, state: AccountState)] = []
    while let row = try rows.next() {
      guard let id = AccountID(bytes: row.raw(0)) else { throw Self.damaged }
      found.append((id, try accountState(row, 1)))
    }
    return found
  }

  /// All sessions in the order in which they came into the book.
  func sessions() throws(GatebookError) -> [(id: SessionID, record: SessionRecord)] {
    let rows = try connection.rows(
      """
      SELECT s.id, r.state FROM session_state r JOIN session s ON s.number = r.session
      ORDER BY r.session
      """)
    var found: [(id: SessionID, record: SessionRecord)] = []
    while let row = try rows.next() {
      guard let id = SessionID(bytes: row.raw(0)) else { throw Self.damaged }
      found.append((id, try sessionRecord(row, 1)))
    }
    return found
  }

  private func accountState(
    _ statement: Statement, _ column: Int32
  ) throws(GatebookError) -> AccountState {
    guard let state = AccountState(decoding: statement.raw(column)) else { throw Self.damaged }
    return state
  }

  private func sessionRecord(
    _ statement: Statement, _ column: Int32
  ) throws(GatebookError) -> SessionRecord {
    guard let record = SessionRecord(decoding: statement.raw(column)) else { throw Self.damaged }
    return record
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
