internal import GatebookCrypto
internal import GatebookEvents

/// Takes over, of the events that were found, those whose leaf says that they are what they were.
struct SalvagedEvents {
  private let connection: Connection
  private let hash = SHA256()
  private static let columns =
    "position, id, account, revision, session, kind, version, at, cause, writer, process, data, "
    + "sealed, leaf"

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Fills the log from `first` to `end`, and keeps older ones beside the state that names them.
  func take(from first: Int64, upTo end: Int64) throws(GatebookError) {
    try nameKinds()
    var names = CanonicalNames(connection)
    var canonical = CanonicalEvent()
    let found = try connection.statement(
      "SELECT \(Self.columns) FROM temp.found WHERE position <= ?1 ORDER BY position")
    found.bind(1, end)
    defer { found.reset() }
    while try found.step() {
      try BookRecovery.refuseCancelled()
      guard try isRight(found, &names, &canonical) else { continue }
      let table = found.integer(0) < first ? "opening_event" : "event"
      // One that another one contradicts, such as by the same id, is no event of this log.
      let insert = try connection.statement(
        """
        INSERT OR IGNORE INTO \(table) SELECT \(Self.columns) FROM temp.found WHERE position = ?1
        """)
      insert.bind(1, found.integer(0))
      try? insert.run()
    }
  }

  /// The greatest position of an event whose leaf is right; 0 where there is none.
  ///
  /// A row number alone says nothing: one flipped bit of it would make events that never were.
  func last() throws(GatebookError) -> Int64 {
    try nameKinds()
    var names = CanonicalNames(connection)
    var canonical = CanonicalEvent()
    let found = try connection.statement(
      "SELECT \(Self.columns) FROM temp.found ORDER BY position DESC")
    defer { found.reset() }
    while try found.step() {
      try BookRecovery.refuseCancelled()
      if try isRight(found, &names, &canonical) { return found.integer(0) }
    }
    return 0
  }

  private func isRight(
    _ row: Statement, _ names: inout CanonicalNames, _ canonical: inout CanonicalEvent
  ) throws(GatebookError) -> Bool {
    guard try names.write(row, into: &canonical) else { return false }
    return hash.leaf(canonical.bytes).bytes == row.bytes(13)
  }

  /// Finds the names of kinds whose rows are lost: there are few, and a leaf knows the right one.
  private func nameKinds() throws(GatebookError) {
    var unknown: [Int64] = []
    let rows = try connection.statement(
      """
      SELECT DISTINCT kind FROM temp.found
      WHERE typeof(kind) = 'integer' AND kind NOT IN (SELECT number FROM kind)
      """)
    while try rows.step() { unknown.append(rows.integer(0)) }
    rows.reset()
    for number in unknown {
      for kind in EventKind.allCases where try isKind(number, kind) { break }
    }
  }

  private func isKind(_ number: Int64, _ kind: EventKind) throws(GatebookError) -> Bool {
    let insert = try connection.statement("INSERT OR IGNORE INTO kind VALUES (?1, ?2)")
    insert.bind(1, number)
    insert.bind(2, kind.rawValue)
    try insert.run()
    var names = CanonicalNames(connection)
    var canonical = CanonicalEvent()
    let rows = try connection.statement(
      "SELECT \(Self.columns) FROM temp.found WHERE kind = ?1 LIMIT 8")
    rows.bind(1, number)
    defer { rows.reset() }
    while try rows.step() {
      if try isRight(rows, &names, &canonical) { return true }
    }
    let remove = try connection.statement(
      "DELETE FROM kind WHERE number = ?1 AND name = ?2")
    remove.bind(1, number)
    remove.bind(2, kind.rawValue)
    try remove.run()
    return false
  }
}
