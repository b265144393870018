package import GatebookEvents

extension BookReader {
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
    try inSnapshot { () throws(GatebookError) in
      let statement = try scanStatement(
        "position, account, revision, session, kind, at, data", of: account)
      statement.bindAll(position, account, end, Int64(limit))
      defer { statement.reset() }
      var last: Position?
      while try statement.step() {
        let position = Position(rawValue: statement.integer(0))
        last = position
        try body(
          ScannedEntry(
            position: position, account: statement.integer(1), revision: statement.integer(2),
            session: statement.optionalInteger(3), kind: statement.integer(4),
            at: Timestamp(rawValue: statement.integer(5)), data: statement.raw(6)))
      }
      return last
    }
  }
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
