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
      return try personal(
        row, 4, AccountID(bytes: row.raw(3)),
        .event(id, kind: row.text(1), version: row.integer(2))) ?? .known([:])
    }
  }

  /// The personal facts in a row.
  ///
  /// - Parameters:
  ///   - row: A row with an event's encrypted facts, followed by its account's key.
  ///   - column: The column of the encrypted facts.
  ///   - account: The event's account.
  ///   - binding: What the facts are bound to.
  /// - Returns: `nil` where it has none.
  /// - Throws: `key` failures.
  func personal(
    _ row: Statement, _ column: Int32, _ account: AccountID?,
    _ binding: Sealer.Binding
  ) throws(GatebookError) -> Personal<Facts>? {
    guard !row.isNull(column), let account else { return nil }
    guard !row.isNull(column + 1) else { return .forgotten }
    let key = row.bytes(column + 1)
    guard !key.isEmpty else { return .lost }
    guard let sealer else { return .sealed }
    guard try sealer.opens(key, of: account) else { return .lost }
    guard let content = sealer.open(row.bytes(column), of: account, binding),
      let facts = Facts(decoding: content)
      // Who prints the event, or checks the book, says that it was changed: one account's damage
      // keeps nobody from another's.
    else { return .lost }
    return .known(facts)
  }
}
