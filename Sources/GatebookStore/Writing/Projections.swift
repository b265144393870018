internal import GatebookEvents

/// The fold of the present, as the writer holds it, and its rows.
///
/// Rows are read when an event first touches them and written once for each transaction.
final class Projections {
  private let connection: Connection
  private let dictionaries: Dictionaries
  private var fold = BookFold()
  private static let cacheLimit = 8192
  private var upsertAccount = KeptStatement(
    "INSERT INTO account_state VALUES (?1, ?2) ON CONFLICT DO UPDATE SET state = ?2")
  private var upsertSession = KeptStatement(
    """
    INSERT INTO session_state VALUES (?1, ?2, ?3)
    ON CONFLICT DO UPDATE SET account = ?2, state = ?3
    """)

  init(_ connection: Connection, _ dictionaries: Dictionaries) {
    self.connection = connection
    self.dictionaries = dictionaries
  }

  func forget() {
    fold = BookFold()
  }

  func state(of account: AccountID) throws(GatebookError) -> AccountState? {
    try load(account)
    return fold.state(of: account)
  }

  /// Reads the rows that an event touches; ``apply(_:number:snapshots:)`` reads none.
  func prepare(_ event: ProposedEvent) throws(GatebookError) {
    guard let account = event.account else { return }
    try load(account)
    // Only a login changes another session than the event's own, which is rebuilt.
    if event.kind == .loginSucceeded, let former = fold.state(of: account)?.session {
      try load(former)
    }
  }

  /// Takes the book's next event, for which the rows were read.
  ///
  /// - Parameters:
  ///   - entry: The event.
  ///   - number: The number of its account in the tables.
  ///   - snapshots: Takes those that are due.
  func apply(_ entry: LogEntry, number: Int64, snapshots: inout [Snapshot]) {
    fold.apply(entry)
    Snapshot.take(after: entry, number: number, in: fold) { snapshots.append($0) }
  }

  /// Writes the rows that changed since the last call.
  func save() throws(GatebookError) {
    try write(fold.changes)
    forgetChanges()
  }

  /// Replaces all rows by those of another fold.
  func replace(by fold: BookFold) throws(GatebookError) {
    for table in ["account_state", "session_state", "roster"] {
      try connection.execute("DELETE FROM \(table)")
    }
    self.fold = fold
    try write(BookFold.Changes(all: fold))
    forgetChanges()
  }

  /// Replaces the rows of one account and its sessions by those of a fold of its stream.
  func replace(_ account: AccountID, by fold: BookFold) throws(GatebookError) {
    guard let number = try dictionaries.account(account) else { return }
    for table in ["account_state", "session_state"] {
      try connection.execute("DELETE FROM \(table) WHERE account = \(number)")
    }
    self.fold = fold
    var changes = BookFold.Changes(all: fold)
    // One stream cannot tell who is current.
    changes.roster = false
    try write(changes)
    forget()
  }

  private func forgetChanges() {
    fold.forgetChanges()
    if fold.count > Self.cacheLimit { forget() }
  }

  private func write(_ changes: BookFold.Changes) throws(GatebookError) {
    if changes.roster { try write(fold.roster) }
    for account in changes.accounts {
      guard let state = fold.state(of: account) else { continue }
      try write(state, of: account)
    }
    for session in changes.sessions {
      guard let record = fold.record(of: session) else { continue }
      try write(record, of: session)
    }
  }

  private func write(_ roster: Roster) throws(GatebookError) {
    try connection.run(
      "INSERT INTO roster VALUES (1, ?1) ON CONFLICT DO UPDATE SET state = ?1",
      UTF8Text(roster.encoded))
  }

  private func write(_ state: AccountState, of account: AccountID) throws(GatebookError) {
    guard let number = try dictionaries.account(account) else { return }
    let statement = try upsertAccount.on(connection)
    statement.bind(1, number)
    statement.bind(2, UTF8Text(state.encoded))
    try statement.run()
  }

  private func write(_ record: SessionRecord, of session: SessionID) throws(GatebookError) {
    guard let account = try dictionaries.account(record.account) else { return }
    let statement = try upsertSession.on(connection)
    statement.bind(1, try dictionaries.session(session))
    statement.bind(2, account)
    statement.bind(3, UTF8Text(record.encoded))
    try statement.run()
  }

  private func load(_ account: AccountID) throws(GatebookError) {
    guard !fold.holds(account) else { return }
    guard let state = try ProjectionRows(connection).account(account) else { return }
    fold.put(state, of: account)
  }

  private func load(_ session: SessionID) throws(GatebookError) {
    guard !fold.holds(session) else { return }
    guard let record = try ProjectionRows(connection).session(session) else { return }
    fold.put(record, of: session)
  }
}
