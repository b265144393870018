package import GatebookEvents

extension BookReader {
  /// What the numbers in the rows of ``scan(after:upTo:of:limit:opensPersonal:_:)`` stand for.
  package var eventNames: EventNames { EventNames(connection) }

  /// Steps over the next events in the order of the book.
  ///
  /// The rows are of one state of the book. Slow work, such as writing them into a pipe, belongs
  /// after it: a transaction that stays open keeps the write-ahead log from being emptied.
  ///
  /// - Parameters:
  ///   - position: The last event that is left out.
  ///   - end: The last event that counts.
  ///   - account: Only this account's stream; `nil` for the whole book.
  ///   - limit: How many at most.
  ///   - opensPersonal: Whether personal facts are decrypted; otherwise they are reported as
  ///     encrypted.
  ///   - body: Sees each row.
  /// - Returns: The last position that was seen; `nil` when there was none.
  /// - Throws: What `body` throws; `storage` failures; `key.missing` where personal facts are to be
  ///   opened without a key.
  package func scan(
    after position: Position, upTo end: Position, of account: AccountID? = nil, limit: Int,
    opensPersonal: Bool = false, _ body: (EventRow) throws(GatebookError) -> Void
  ) throws(GatebookError) -> Position? {
    guard sealer != nil || !opensPersonal else {
      throw GatebookError(
        .keyMissing, "Personal data is encrypted, and the book was opened without its key.",
        kept: "Nothing was read.", remedy: "Open the book with its key, or leave out personal data."
      )
    }
    var seals = PersonalSeals(names: eventNames, sealer: opensPersonal ? sealer : nil)
    return try scanRows(
      "position, id, account, revision, session, kind, version, at, cause, writer, process, "
        + "data, sealed", after: position, upTo: end, of: account, limit: limit
    ) { (row, position) throws(GatebookError) in
      guard let id = EventID(bytes: row.raw(1)) else {
        throw .storageDamaged("The event at position \(position) cannot be read.")
      }
      try body(
        EventRow(
          position: position.rawValue, id: id, account: row.integer(2), revision: row.integer(3),
          session: row.optionalInteger(4), kind: row.integer(5), version: row.integer(6),
          at: Timestamp(rawValue: row.integer(7)), cause: row.optionalInteger(8),
          writer: row.integer(9), process: row.integer(10), data: row.raw(11),
          personal: try seals.personal(row, id)))
    }
  }

  /// Steps over the next events in the order of the book, reading only what folds need of them.
  ///
  /// The entries are of one state of the book.
  ///
  /// - Parameters:
  ///   - position: The last event that is left out.
  ///   - end: The last event that counts.
  ///   - account: Only this account's stream; `nil` for the whole book.
  ///   - limit: How many at most.
  ///   - body: Sees each entry.
  /// - Returns: The last position that was seen; `nil` when there was none.
  /// - Throws: What `body` throws; `storage` failures.
  package func scanEntries(
    after position: Position, upTo end: Position, of account: AccountID? = nil, limit: Int,
    _ body: (ScannedEntry) throws(GatebookError) -> Void
  ) throws(GatebookError) -> Position? {
    try scanRows(
      "position, account, revision, session, kind, at, data", after: position, upTo: end,
      of: account, limit: limit
    ) { (row, position) throws(GatebookError) in
      try body(
        ScannedEntry(
          position: position, account: row.integer(1), revision: row.integer(2),
          session: row.optionalInteger(3), kind: row.integer(4),
          at: Timestamp(rawValue: row.integer(5)), data: row.raw(6)))
    }
  }

  /// Steps over columns of the next events; the first one is the position.
  private func scanRows(
    _ columns: String, after position: Position, upTo end: Position, of account: AccountID?,
    limit: Int, _ body: (Statement, Position) throws(GatebookError) -> Void
  ) throws(GatebookError) -> Position? {
    let part =
      account == nil
      ? "position > ?1 AND position <= ?3 ORDER BY position"
      : """
      account = (SELECT number FROM account WHERE id = ?2) AND position > ?1 AND position <= ?3
      ORDER BY account, revision
      """
    return try inSnapshot { () throws(GatebookError) in
      let rows = try connection.rows(
        "SELECT \(columns) FROM event WHERE \(part) LIMIT ?4", position, account, end,
        Int64(limit))
      var last: Position?
      while let row = try rows.next() {
        let position = Position(rawValue: row.integer(0))
        try body(row, position)
        last = position
      }
      return last
    }
  }
}

/// What becomes of personal facts on the way.
private struct PersonalSeals {
  let names: EventNames
  /// Decrypts them; `nil` leaves them encrypted.
  let sealer: Sealer?
  private var accounts = RecentNames<Account>()
  private var kinds = RecentNames<String>()

  private struct Account {
    let id: AccountID?
    let key: [UInt8]?
  }

  init(names: EventNames, sealer: Sealer?) {
    self.names = names
    self.sealer = sealer
  }

  mutating func personal(
    _ statement: Statement, _ id: EventID
  ) throws(GatebookError) -> Personal<Facts>? {
    guard !statement.isNull(12), statement.integer(2) != 0 else { return nil }
    let number = statement.integer(2)
    let account = try accounts.value(number) { () throws(GatebookError) in
      Account(id: try names.account(number), key: try names.key(number))
    }
    guard let owner = account.id else { return .forgotten }
    return try Personal(statement, 12, of: owner, account.key, sealer) {
      () throws(GatebookError) in
      let kind = try kinds.value(statement.integer(5)) { () throws(GatebookError) in
        try names.kind(statement.integer(5))
      }
      return .event(id, kind: kind, version: statement.integer(6))
    }
  }
}

/// An event where the database keeps it: nothing of it was made into a value.
///
/// Its facts are valid until the scan continues. Accounts, sessions, kinds and writers are numbers
/// of the book's dictionaries; ``EventNames`` knows them.
package struct EventRow {
  /// Its place in the book.
  package let position: Int64
  /// Its idempotency key.
  package let id: EventID
  /// Its stream; 0 is the book's own.
  package let account: Int64
  /// Its place in the stream, from 1.
  package let revision: Int64
  /// The session or login attempt it belongs to.
  package let session: Int64?
  /// What happened.
  package let kind: Int64
  /// The version of the kind's facts.
  package let version: Int64
  /// The writer's wall clock.
  package let at: Timestamp
  /// The event that led to it.
  package let cause: Int64?
  /// Who wrote it.
  package let writer: Int64
  /// In which process.
  package let process: Int64
  /// Facts that are neither secret nor personal, as canonical JSON.
  package let data: UnsafeRawBufferPointer
  /// Personal facts; `nil` when the event has none.
  package let personal: Personal<Facts>?
}

/// What a fold needs of an event, where the database keeps it.
///
/// Its facts are valid until the scan continues. Accounts, sessions and kinds are numbers of the
/// book's dictionaries; ``EventNames`` knows them.
package struct ScannedEntry {
  package let position: Position
  /// The number of its stream; 0 is the book's own.
  package let account: Int64
  /// Its place in the stream, from 1.
  package let revision: Int64
  /// The number of the session or login attempt it belongs to.
  package let session: Int64?
  package let kind: Int64
  package let at: Timestamp
  /// Facts that are neither secret nor personal.
  package let data: UnsafeRawBufferPointer
}
