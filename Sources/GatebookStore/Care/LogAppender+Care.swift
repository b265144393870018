internal import GatebookEvents

extension LogAppender {
  /// Destroys an account's key and what belongs to it alone, in one transaction with the event that
  /// says so.
  ///
  /// `secure_delete` overwrites the bytes in the book; those in the WAL are noted as still to be
  /// wiped.
  func erase(_ account: AccountID) throws(GatebookError) {
    let stream = try stream(of: account)
    for sql in [
      "UPDATE account SET key = NULL WHERE number = ?1",
      "DELETE FROM account_lookup WHERE account = ?1",
      "DELETE FROM vault WHERE account = ?1",
      "INSERT INTO unwiped VALUES (?1) ON CONFLICT DO NOTHING",
    ] {
      try connection.run(sql, stream.number)
    }
    // Which servers the book knows may say something of the account; all of it can be asked for
    // again.
    try dropDocuments()
    stream.isErased = true
    stream.key = nil
    sealer.forget(account)
  }

  func begin(_ copy: CopyID, _ kind: BookCopy.Kind, _ place: String) throws(GatebookError) {
    try connection.run(
      "INSERT INTO copy VALUES (?1, ?2, ?3, ?4, ?5, NULL)", copy.bytes, kind.rawValue, now,
      sealer.sealPlace(place, of: copy), size)
  }

  func end(_ copy: CopyID, _ events: Int64) throws(GatebookError) {
    try connection.run("UPDATE copy SET events = ?2 WHERE id = ?1", copy, events)
  }

  func drop(_ copy: CopyID) throws(GatebookError) {
    try connection.run("DELETE FROM copy WHERE id = ?1", copy)
  }
}
