internal import GatebookEvents

extension BookReader {
  /// The personal facts of one event, without what else it says.
  ///
  /// - Parameter position: The event's position.
  /// - Returns: The facts, none where it has none; `nil` when the event is neither in the log nor
  ///   in what the book begins with.
  /// - Throws: `storage` failures.
  func personalFacts(at position: Position) throws(GatebookError) -> Personal<Facts>? {
    try lookUp(position) { (table) throws(GatebookError) in
      let rows = try connection.rows(
        """
        SELECT e.id, k.name, e.version, a.id, e.sealed, a.key FROM \(table) e
        JOIN kind k ON k.number = e.kind LEFT JOIN account a ON a.number = e.account
        WHERE e.position = ?1
        """, position)
      guard let row = try rows.next() else { return nil }
      guard let id = EventID(bytes: row.raw(0)) else {
        throw .storageDamaged("The event at position \(position.rawValue) cannot be read.")
      }
      return try Self.personal(
        row, 4, AccountID(bytes: row.raw(3)), sealer,
        .event(id, kind: row.text(1), version: row.integer(2))) ?? .known([:])
    }
  }

  /// The personal facts in a row.
  ///
  /// - Parameters:
  ///   - row: A row with an event's encrypted facts, followed by its account's key.
  ///   - column: The column of the encrypted facts.
  ///   - account: The event's account.
  ///   - sealer: Decrypts them; `nil` leaves them encrypted.
  ///   - binding: What the facts are bound to.
  /// - Returns: `nil` where it has none.
  /// - Throws: `key` failures.
  static func personal(
    _ row: Statement, _ column: Int32, _ account: AccountID?, _ sealer: Sealer?,
    _ binding: Sealer.Binding
  ) throws(GatebookError) -> Personal<Facts>? {
    guard !row.isNull(column), let account else { return nil }
    let key = row.isNull(column + 1) ? nil : row.bytes(column + 1)
    return try Personal(row, column, of: account, key, sealer) { binding }
  }
}

extension Personal<Facts> {
  /// The encrypted facts in a column.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - column: The column.
  ///   - account: The event's account.
  ///   - key: Its data key, wrapped; `nil` once it is erased, empty where a recovery found none.
  ///   - sealer: Decrypts them; `nil` leaves them encrypted.
  ///   - binding: What they are bound to.
  /// - Throws: What is not about this key; what `binding` throws.
  init(
    _ row: Statement, _ column: Int32, of account: AccountID, _ key: [UInt8]?, _ sealer: Sealer?,
    _ binding: () throws(GatebookError) -> Sealer.Binding
  ) throws(GatebookError) {
    switch (key, sealer) {
    case (nil, _): self = .forgotten
    case ([]?, _): self = .lost
    case (_?, nil): self = .sealed
    case (let key?, let sealer?):
      guard try sealer.opens(key, of: account),
        let content = sealer.open(row.bytes(column), of: account, try binding()),
        let facts = Facts(decoding: content)
      else {
        // Who prints the event, or checks the book, says that it was changed: one account's damage
        // keeps nobody from another's.
        self = .lost
        return
      }
      self = .known(facts)
    }
  }
}
