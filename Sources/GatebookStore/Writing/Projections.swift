internal import GatebookEvents

/// The fold of the present, as the writer holds it, and its rows.
///
/// Rows are read when an event first touches them and written once for each transaction.
final class Projections {
  private let connection: Connection
  private let dictionaries: Dictionaries
  private var fold = BookFold()
  private var hasRoster = false
  private static let cacheLimit = 8192

  init(_ connection: Connection, _ dictionaries: Dictionaries) {
    self.connection = connection
    self.dictionaries = dictionaries
  }

  func forget() {
    fold = BookFold()
    hasRoster = false
  }

  func state(of account: AccountID) throws(GatebookError) -> AccountState? {
    try load(account)
    return fold.accounts[account]
  }

  func apply(_ entry: LogEntry) throws(GatebookError) {
    try loadRoster()
    if let account = entry.account {
      try load(account)
      for session in [entry.session, fold.accounts[account]?.session] {
        if let session { try load(session) }
      }
    }
    fold.apply(entry)
  }

  /// Writes the rows that changed since the last call.
  func save() throws(GatebookError) {
    if fold.changes.roster {
      let statement = try connection.statement(
        "INSERT INTO roster VALUES (1, ?1) ON CONFLICT DO UPDATE SET state = ?1")
      statement.bind(1, text: fold.roster.record.encoded)
      try statement.run()
    }
    for account in fold.changes.accounts {
      guard let state = fold.accounts[account], let number = try dictionaries.account(account)
      else { continue }
      let statement = try connection.statement(
        "INSERT INTO account_state VALUES (?1, ?2) ON CONFLICT DO UPDATE SET state = ?2")
      statement.bind(1, number)
      statement.bind(2, text: state.record.encoded)
      try statement.run()
    }
    for session in fold.changes.sessions {
      guard let record = fold.sessions[session],
        let account = try dictionaries.account(record.account)
      else { continue }
      let statement = try connection.statement(
        """
        INSERT INTO session_state VALUES (?1, ?2, ?3)
        ON CONFLICT DO UPDATE SET account = ?2, state = ?3
        """)
      statement.bind(1, try dictionaries.session(session))
      statement.bind(2, account)
      statement.bind(3, text: record.record.encoded)
      try statement.run()
    }
    fold.changes = BookFold.Changes()
    if fold.sessions.count + fold.accounts.count > Self.cacheLimit { forget() }
  }

  /// Replaces all rows by those of another fold.
  func replace(by fold: BookFold) throws(GatebookError) {
    for table in ["account_state", "session_state", "roster"] {
      try connection.execute("DELETE FROM \(table)")
    }
    self.fold = fold
    hasRoster = true
    self.fold.changes = BookFold.Changes(all: fold)
    try save()
  }

  private func loadRoster() throws(GatebookError) {
    guard !hasRoster else { return }
    fold.roster = try ProjectionRows(connection).roster()
    hasRoster = true
  }

  private func load(_ account: AccountID) throws(GatebookError) {
    guard fold.accounts[account] == nil else { return }
    fold.accounts[account] = try ProjectionRows(connection).account(account)
  }

  private func load(_ session: SessionID) throws(GatebookError) {
    guard fold.sessions[session] == nil else { return }
    fold.sessions[session] = try ProjectionRows(connection).session(session)
  }
}
