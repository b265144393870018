internal import GatebookEvents

extension LogAppender {
  /// Destroys an account's key and what belongs to it alone, in one transaction with the event that says
  /// so.
  ///
  /// `secure_delete` overwrites the bytes in the book; those in the WAL are noted as still to be wiped.
  func erase(_ account: AccountID) throws(GatebookError) {
    let stream = try stream(of: account)
    for sql in [
      "UPDATE account SET key = NULL WHERE number = ?1",
      "DELETE FROM account_lookup WHERE account = ?1",
      "DELETE FROM vault WHERE account = ?1",
      "INSERT INTO unwiped VALUES (?1) ON CONFLICT DO NOTHING",
    ] {
      let statement = try connection.statement(sql)
      statement.bind(1, stream.number)
      try statement.run()
    }
    // Which servers the book knows may say something of the account; all of it can be asked for again.
    try dropDocuments()
    stream.isErased = true
    stream.key = nil
    sealer.forget(account)
  }

  func begin(_ copy: CopyID, _ kind: BookCopy.Kind, _ place: String) throws(GatebookError) {
    let statement = try connection.statement(
      "INSERT INTO copy VALUES (?1, ?2, ?3, ?4, ?5, NULL)")
    statement.bind(1, copy.bytes)
    statement.bind(2, kind.rawValue)
    statement.bind(3, now.rawValue)
    statement.bind(4, sealer.sealPlace(place, of: copy))
    statement.bind(5, size)
    try statement.run()
  }

  func end(_ copy: CopyID, _ events: Int64) throws(GatebookError) {
    let statement = try connection.statement("UPDATE copy SET events = ?2 WHERE id = ?1")
    statement.bind(1, copy.bytes)
    statement.bind(2, events)
    try statement.run()
  }

  func drop(_ copy: CopyID) throws(GatebookError) {
    let statement = try connection.statement("DELETE FROM copy WHERE id = ?1")
    statement.bind(1, copy.bytes)
    try statement.run()
  }
}
