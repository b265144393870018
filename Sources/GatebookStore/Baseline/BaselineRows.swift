internal import GatebookCrypto
internal import GatebookEvents

/// Reads and writes the rows of the baseline.
struct BaselineRows: BookTables {
  let connection: Connection

  /// Replaces the state; the events that it names are copied while the log still has them.
  func write(_ state: BaselineState) throws(GatebookError) {
    try connection.execute("DELETE FROM opening_row")
    for row in state.rows {
      try connection.run(
        "INSERT INTO opening_row VALUES (?1, ?2, ?3)", row.part, row.name, UTF8Text(row.state))
    }
    for position in state.events {
      try connection.run(
        "INSERT OR IGNORE INTO opening_event SELECT * FROM event WHERE position = ?1", position)
    }
    let named = Set(state.events)
    for position in try events() where !named.contains(position) {
      try connection.run("DELETE FROM opening_event WHERE position = ?1", position)
    }
  }

  /// The events that are stored beside the state because it names them, in the order of the book.
  func events() throws(GatebookError) -> [Int64] {
    try connection.all("SELECT position FROM opening_event ORDER BY position") { $0.integer(0) }
  }

  /// The root over the rows as they are stored.
  func root(_ hash: SHA256) throws(GatebookError) -> Digest {
    var tree = Frontier()
    let rows = try connection.rows(
      "SELECT part, name, state FROM opening_row ORDER BY part, name")
    while let row = try rows.next() {
      let row = BaselineState.Row(
        part: row.text(0), name: row.bytes(1), state: row.bytes(2))
      tree.append(hash.leaf(row.canonical), hash)
    }
    return tree.root(hash)
  }

  /// The fold of all accounts, or of one, as it was; nothing where the book has all of its past.
  func fold(of account: AccountID?) throws(GatebookError) -> BookFold {
    var fold = BookFold()
    if let account {
      guard let state = try state(of: account) else { return fold }
      fold.put(state, of: account)
    } else {
      try forEach(BaselineState.account) { (name, row) throws(GatebookError) in
        let (id, state): (AccountID, AccountState) = (try Self.id(name), try Self.state(row))
        fold.put(state, of: id)
      }
      try forEach(BaselineState.roster) { (_, row) throws(GatebookError) in
        fold.put(try Self.state(row) as Roster)
      }
    }
    try forEach(BaselineState.session) { (name, row) throws(GatebookError) in
      let (id, record): (SessionID, SessionRecord) = (try Self.id(name), try Self.state(row))
      if account == nil || record.account == account { fold.put(record, of: id) }
    }
    return fold
  }

  /// An account as it was; `nil` when it was not there yet.
  func state(of account: AccountID) throws(GatebookError) -> AccountState? {
    try row(BaselineState.account, account.bytes) { (row) throws(GatebookError) in
      try Self.state(row.raw(0))
    }
  }

  private static func id<ID: Identity>(_ name: [UInt8]) throws(GatebookError) -> ID {
    guard let id = ID(bytes: name) else { throw damaged }
    return id
  }

  private static func state<Row: FoldedRow>(
    _ row: UnsafeRawBufferPointer
  ) throws(GatebookError) -> Row {
    guard let state = Row(decoding: row) else { throw damaged }
    return state
  }

  /// The events that were counted, by the numbers of the book's dictionaries.
  func tallies() throws(GatebookError) -> [TallyKey: Int64] {
    guard try exists() else { return [:] }
    var tallies: [TallyKey: Int64] = [:]
    let kinds = try connection.table("SELECT name, number FROM kind") {
      ($0.text(0), $0.integer(1))
    }
    let accounts = try connection.table("SELECT id, number FROM account") {
      ($0.bytes(0), $0.integer(1))
    }
    for (number, part) in BaselineState.tallies {
      try forEach(part) { (name, row) throws(GatebookError) in
        guard let facts = Facts(decoding: row) else { throw Self.damaged }
        var place: Int64 = 0
        if number == TallyKey.day { place = BaselineState.integer(name) }
        if number == TallyKey.account, !name.isEmpty {
          guard let account = accounts[name] else { throw Self.damaged }
          place = account
        }
        for kind in facts.names {
          guard let known = kinds[kind], let count = facts[kind]?.integer,
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
    let last = try connection.integer(
      "SELECT max(revision) FROM event WHERE account = ?1", number)
    return max(last, try revision(of: number))
  }

  /// The last revision of a stream that the baseline counts; 0 for none.
  func revision(of number: Int64) throws(GatebookError) -> Int64 {
    guard try exists() else { return 0 }
    let id = try connection.first("SELECT id FROM account WHERE number = ?1", number) {
      $0.bytes(0)
    }
    guard let name = number == 0 ? [] : id else { return 0 }
    return try row(BaselineState.stream, name) { (row) throws(GatebookError) in
      guard let facts = Facts(decoding: row.raw(0)) else { throw Self.damaged }
      return facts["revision"]?.integer ?? 0
    } ?? 0
  }

  /// Goes through the rows of a part: their names and what they hold.
  private func forEach(
    _ part: String, _ body: ([UInt8], UnsafeRawBufferPointer) throws(GatebookError) -> Void
  ) throws(GatebookError) {
    guard try exists() else { return }
    let rows = try connection.rows(
      "SELECT name, state FROM opening_row WHERE part = ?1 ORDER BY name", part)
    while let row = try rows.next() {
      try body(row.bytes(0), row.raw(1))
    }
  }

  private func row<Value>(
    _ part: String, _ name: [UInt8], _ read: (Statement) throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value? {
    guard try exists() else { return nil }
    return try connection.first(
      "SELECT state FROM opening_row WHERE part = ?1 AND name = ?2", part, name, read: read)
  }

  private func exists() throws(GatebookError) -> Bool { try connection.has(table: "opening_row") }

  private static var damaged: GatebookError {
    .storageDamaged("The state that the book continues from is damaged.")
  }
}

extension LogAppender {
  /// Replaces what a book begins with, and its present and its counters with it.
  ///
  /// The first event after it says what the book continues.
  func goOn(
    from state: BaselineState, _ baseline: Baseline, _ fold: BookFold, _ tallies: [TallyKey: Int64]
  ) throws(GatebookError) {
    try BaselineRows(connection).write(state)
    try baseline.write(connection)
    let rows = RollupTables(connection)
    try rows.clear(of: nil)
    try rows.add(tallies)
    try replaceProjections(by: fold, of: nil)
  }
}
