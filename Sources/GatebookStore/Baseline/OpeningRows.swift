internal import GatebookCrypto
internal import GatebookEvents

/// Reads and writes the rows of the opening state.
struct OpeningRows {
  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Replaces the state; the events that it names are copied while they still stand in the log.
  func write(_ state: OpeningState) throws(GatebookError) {
    try connection.execute("DELETE FROM opening_row")
    for row in state.rows {
      let insert = try connection.statement("INSERT INTO opening_row VALUES (?1, ?2, ?3)")
      insert.bind(1, row.part)
      insert.bind(2, row.name)
      insert.bind(3, text: row.state)
      try insert.run()
    }
    for position in state.events {
      let copy = try connection.statement(
        "INSERT OR IGNORE INTO opening_event SELECT * FROM event WHERE position = ?1")
      copy.bind(1, position)
      try copy.run()
    }
    let named = Set(state.events)
    for position in try events() where !named.contains(position) {
      let remove = try connection.statement("DELETE FROM opening_event WHERE position = ?1")
      remove.bind(1, position)
      try remove.run()
    }
  }

  /// The events that stand beside the state because it names them, in the order of the book.
  func events() throws(GatebookError) -> [Int64] {
    let rows = try connection.statement("SELECT position FROM opening_event ORDER BY position")
    defer { rows.reset() }
    var positions: [Int64] = []
    while try rows.step() { positions.append(rows.integer(0)) }
    return positions
  }

  /// The root over the rows as they are stored.
  func root(_ hash: SHA256) throws(GatebookError) -> Digest? {
    var tree = Frontier()
    let rows = try connection.statement(
      "SELECT part, name, state FROM opening_row ORDER BY part, name")
    defer { rows.reset() }
    while try rows.step() {
      let row = OpeningState.Row(
        part: rows.text(0), name: rows.bytes(1), state: rows.bytes(2))
      tree.append(hash.leaf(row.canonical), hash) { _ in }
    }
    return tree.root(hash)
  }

  /// The fold of all accounts, or of one, as it was; nothing where the book has all of its past.
  func fold(of account: AccountID?) throws(GatebookError) -> BookFold {
    var fold = BookFold()
    guard let account else {
      try forEach(OpeningState.account) { (name, row) throws(GatebookError) in
        guard let id = AccountID(bytes: name), let state = AccountState(decoding: row) else {
          throw Self.damaged
        }
        fold.put(state, of: id)
      }
      try forEach(OpeningState.roster) { (_, row) throws(GatebookError) in
        guard let roster = Roster(decoding: row) else { throw Self.damaged }
        fold.put(roster)
      }
      try addSessions(to: &fold, of: nil)
      return fold
    }
    guard let state = try state(of: account) else { return fold }
    fold.put(state, of: account)
    try addSessions(to: &fold, of: account)
    return fold
  }

  private func addSessions(
    to fold: inout BookFold, of account: AccountID?
  ) throws(GatebookError) {
    try forEach(OpeningState.session) { (name, row) throws(GatebookError) in
      guard let id = SessionID(bytes: name), let record = SessionRecord(decoding: row) else {
        throw Self.damaged
      }
      if account == nil || record.account == account { fold.put(record, of: id) }
    }
  }

  /// An account as it was; `nil` when it was not there yet.
  func state(of account: AccountID) throws(GatebookError) -> AccountState? {
    guard let row = try row(OpeningState.account, account.bytes) else { return nil }
    guard let state = row.withUnsafeBytes(AccountState.init(decoding:)) else {
      throw Self.damaged
    }
    return state
  }

  /// The events that were counted, by the numbers of the book's dictionaries.
  func tallies() throws(GatebookError) -> [TallyKey: Int64] {
    guard try exists() else { return [:] }
    var tallies: [TallyKey: Int64] = [:]
    let kinds = try numbers("SELECT name, number FROM kind")
    let accounts = try numbers("SELECT id, number FROM account")
    let parts = [
      (OpeningState.tallyOfBook, TallyKey.book), (OpeningState.tallyOfDay, TallyKey.day),
      (OpeningState.tallyOfAccount, TallyKey.account),
    ]
    for (part, number) in parts {
      try forEach(part) { (name, row) throws(GatebookError) in
        guard let facts = Facts(decoding: row) else { throw Self.damaged }
        var place: Int64 = 0
        if number == TallyKey.day { place = OpeningState.integer(name) }
        if number == TallyKey.account, !name.isEmpty {
          guard let account = accounts[name] else { throw Self.damaged }
          place = account
        }
        for kind in facts.names {
          guard let known = kinds[Array(kind.utf8)], let count = facts[kind]?.integer,
            (0...BookRecovery.maximum).contains(count)
          else { throw Self.damaged }
          tallies[TallyKey(part: number, number: place, kind: known)] = count
        }
      }
    }
    return tallies
  }

  /// The last revision of a stream, whether its event is still in the log or not.
  func lastRevision(of number: Int64) throws(GatebookError) -> Int64 {
    let statement = try connection.statement(
      "SELECT max(revision) FROM event WHERE account = ?1")
    statement.bind(1, number)
    defer { statement.reset() }
    let last = try statement.step() ? statement.integer(0) : 0
    return max(last, try revision(of: number))
  }

  /// The last revision of a stream that the opening state counts; 0 for none.
  func revision(of number: Int64) throws(GatebookError) -> Int64 {
    guard try exists() else { return 0 }
    var name: [UInt8] = []
    if number != 0 {
      let account = try connection.statement("SELECT id FROM account WHERE number = ?1")
      account.bind(1, number)
      defer { account.reset() }
      guard try account.step() else { return 0 }
      name = account.bytes(0)
    }
    guard let row = try row(OpeningState.stream, name) else { return 0 }
    guard let facts = Facts(decoding: row) else { throw Self.damaged }
    return facts["revision"]?.integer ?? 0
  }

  /// Goes through the rows of a part: their names and what they hold.
  private func forEach(
    _ part: String, _ body: ([UInt8], UnsafeRawBufferPointer) throws(GatebookError) -> Void
  ) throws(GatebookError) {
    guard try exists() else { return }
    let rows = try connection.statement(
      "SELECT name, state FROM opening_row WHERE part = ?1 ORDER BY name")
    rows.bind(1, part)
    defer { rows.reset() }
    while try rows.step() {
      try body(rows.bytes(0), rows.raw(1))
    }
  }

  private func row(_ part: String, _ name: [UInt8]) throws(GatebookError) -> [UInt8]? {
    guard try exists() else { return nil }
    let row = try connection.statement(
      "SELECT state FROM opening_row WHERE part = ?1 AND name = ?2")
    row.bind(1, part)
    row.bind(2, name)
    defer { row.reset() }
    return try row.step() ? row.bytes(0) : nil
  }

  private func numbers(_ sql: String) throws(GatebookError) -> [[UInt8]: Int64] {
    let rows = try connection.statement(sql)
    defer { rows.reset() }
    var numbers: [[UInt8]: Int64] = [:]
    while try rows.step() { numbers[rows.bytes(0)] = rows.integer(1) }
    return numbers
  }

  private func exists() throws(GatebookError) -> Bool { try connection.has(table: "opening_row") }

  private static var damaged: GatebookError {
    .storageDamaged("The state that the book continues from is damaged.")
  }
}
