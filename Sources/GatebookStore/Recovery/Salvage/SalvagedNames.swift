internal import GatebookEvents

/// Finds what numbers in events stand for where the rows that say it are lost.
///
/// An index says it too, but the entries of those of accounts, of sessions and of events look
/// alike: 16 bytes and a number. The leaf of an event knows which is right, and which of the few
/// kinds it is of.
struct SalvagedNames {
  /// A number without a row.
  private struct Unknown {
    let table: String
    let number: Int64
  }

  /// Events that name the same account, session and kind: the first and the last of them.
  private struct Sample {
    let unknown: [Unknown]
    let positions: [Int64]
  }

  private let connection: Connection
  private let pages: RawPages
  /// What the entries of indexes call a number.
  private var identities: [Int64: [[UInt8]]] = [:]
  /// The numbers of identities that the state names.
  private var numbers: [[UInt8]: Set<Int64>] = [:]

  init(_ connection: Connection, _ pages: RawPages) {
    self.connection = connection
    self.pages = pages
  }

  /// Gives the numbers their rows back: those of accounts without their keys.
  mutating func find() throws(GatebookError) {
    let samples = try samples()
    let accounts = try accountsOfState()
    guard !samples.isEmpty || !accounts.isEmpty else { return }
    try readIndexes(of: Set(samples.flatMap { $0.unknown.map(\.number) }), Set(accounts))
    for sample in samples {
      try BookRecovery.refuseCancelled()
      // Others may have told it meanwhile.
      var unknown: [Unknown] = []
      for one in sample.unknown where try !isKnown(one) { unknown.append(one) }
      guard !unknown.isEmpty else { continue }
      for position in sample.positions where try settle(unknown[...], position) { break }
    }
    for account in accounts { try add(account) }
  }

  /// Of each combination with something unknown the first and the last event.
  private func samples() throws(GatebookError) -> [Sample] {
    try connection.all(
      """
      SELECT account, session, kind, min(position), max(position),
        account != 0 AND account NOT IN (SELECT number FROM account) AS noAccount,
        session IS NOT NULL AND session NOT IN (SELECT number FROM session) AS noSession,
        kind NOT IN (SELECT number FROM kind) AS noKind
      FROM temp.found
      WHERE typeof(account) = 'integer' AND typeof(session) IN ('integer', 'null')
        AND typeof(kind) = 'integer' AND (noAccount OR noSession OR noKind)
      GROUP BY account, session, kind ORDER BY noAccount + noSession + noKind
      """
    ) { row in
      var unknown: [Unknown] = []
      for (index, table) in ["account", "session", "kind"].enumerated()
      where row.integer(Int32(5 + index)) != 0 {
        unknown.append(Unknown(table: table, number: row.integer(Int32(index))))
      }
      return Sample(unknown: unknown, positions: [row.integer(3), row.integer(4)])
    }
  }

  /// The accounts that the book begins with and that have no row.
  private func accountsOfState() throws(GatebookError) -> [[UInt8]] {
    try connection.all(
      """
      SELECT name FROM opening_row
      WHERE part = ?1 AND length(name) = 16 AND name NOT IN (SELECT id FROM account)
      """, BaselineState.account
    ) { $0.bytes(0) }
  }

  private mutating func readIndexes(
    of wanted: Set<Int64>, _ accounts: Set<[UInt8]>
  ) throws(GatebookError) {
    for page in 1...max(1, pages.count) {
      try BookRecovery.refuseCancelled()
      for row in pages.rows(of: page) where row.number == nil && row.values.count == 2 {
        guard row.values[0].hasBytes(16), let identity = row.values[0].bytes,
          let number = row.values[1].integer
        else { continue }
        if wanted.contains(number) { identities[number, default: []].append(identity) }
        if accounts.contains(identity) { numbers[identity, default: []].insert(number) }
      }
    }
  }

  /// Tries what the numbers may stand for until the leaf of an event is right.
  private func settle(
    _ unknown: ArraySlice<Unknown>, _ position: Int64
  ) throws(GatebookError) -> Bool {
    guard let first = unknown.first else { return try isRight(position) }
    if first.table == "kind" {
      for kind in EventKind.allCases
      where try put(first, kind, unknown, position) { return true }
    } else {
      for identity in identities[first.number] ?? []
      where try put(first, identity, unknown, position) { return true }
    }
    return false
  }

  /// Gives a number a row for as long as that may be right.
  private func put(
    _ first: Unknown, _ meaning: some Bindable, _ unknown: ArraySlice<Unknown>,
    _ position: Int64
  ) throws(GatebookError) -> Bool {
    let values = first.table == "account" ? "?1, ?2, x''" : "?1, ?2"
    try connection.run(
      "INSERT OR IGNORE INTO \(first.table) VALUES (\(values))", first.number, meaning)
    if try settle(unknown.dropFirst(), position) { return true }
    try connection.run("DELETE FROM \(first.table) WHERE number = ?1", first.number)
    return false
  }

  private func isRight(_ position: Int64) throws(GatebookError) -> Bool {
    var test = EventLeaves(connection)
    return try connection.first(
      "SELECT \(EventLeaves.columns) FROM temp.found WHERE position = ?1", position
    ) { (row) throws(GatebookError) in try test.isRight(row) } ?? false
  }

  private func isKnown(_ unknown: Unknown) throws(GatebookError) -> Bool {
    try connection.has("SELECT 1 FROM \(unknown.table) WHERE number = ?1", unknown.number)
  }

  /// Adds an account that no event tells of, by the number it had, or else by a new one.
  private func add(_ account: [UInt8]) throws(GatebookError) {
    let known = numbers[account] ?? []
    try connection.run(
      """
      INSERT OR IGNORE INTO account VALUES (coalesce(?1, 1 + max(
        (SELECT coalesce(max(number), 0) FROM account),
        (SELECT coalesce(max(account), 0) FROM account_state))), ?2, x'')
      """, known.count == 1 ? known.first : nil, account)
  }
}
