package import GatebookEvents

extension BookReader {
  /// The streams of accounts whose last events are the newest ones, then those whose events are all
  /// in the archive that the book continues.
  ///
  /// - Parameters:
  ///   - end: The last event that counts.
  ///   - limit: How many at most.
  /// - Returns: What event rows call them, and whose they are; the newest first.
  /// - Throws: `storage` failures.
  package func newestStreams(
    upTo end: Position, limit: Int
  ) throws(GatebookError) -> [(number: Int64, account: AccountID)] {
    try check()
    // In its index a stream is read from its last revision back to the end that counts.
    return try connection.all(
      """
      SELECT number, id, (
        SELECT position FROM event WHERE account = number AND position <= ?2
        ORDER BY revision DESC LIMIT 1) AS last
      FROM account WHERE last NOT NULL OR ?3 ORDER BY last DESC LIMIT ?1
      """, Int64(limit), end, try continuation() != nil
    ) { (row) throws(GatebookError) in
      guard let account = AccountID(bytes: row.raw(1)) else {
        throw .storageDamaged("The identity of an account is missing from the book.")
      }
      // Others without an event came later than the end that counts.
      if row.isNull(2), try baselineState(of: account) == nil { return nil }
      return (row.integer(0), account)
    }
  }

  /// What event rows call an account's stream; `nil` when the book does not know it.
  package func stream(of account: AccountID) throws(GatebookError) -> Int64? {
    try usableConnection.number(of: account)
  }

  /// How many accounts the book has had; those that were erased, too.
  package func streamCount() throws(GatebookError) -> Int64 {
    try usableConnection.integer("SELECT count(*) FROM account")
  }
}
