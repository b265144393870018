internal import GatebookEvents

extension LogAppender {
  func add(_ account: Append.NewAccount) throws(GatebookError) {
    let key = account.key ?? sealer.wrapNewKey(of: account.id)
    _ = try dictionaries.addAccount(account.id, key: key)
    for hash in account.lookups { try add(hash, of: account.id) }
  }

  func add(_ hash: [UInt8], of account: AccountID) throws(GatebookError) {
    try connection.run(
      "INSERT INTO account_lookup VALUES (?1, ?2) ON CONFLICT DO UPDATE SET account = ?2", hash,
      try stream(of: account).number)
  }

  func apply(_ change: Append.VaultChange) throws(GatebookError) {
    switch change {
    case .set(let account, let purpose, let generation, let content):
      try provideKey(of: account)
      try connection.run(
        """
        INSERT INTO vault VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO UPDATE SET generation = ?3, sealed = ?4
        """, try stream(of: account).number, purpose, generation,
        sealer.seal(content, of: account, .vault(purpose: purpose, generation: generation)))
    case .remove(let account, let purpose):
      try connection.run(
        "DELETE FROM vault WHERE account = ?1 AND purpose = ?2", try stream(of: account).number,
        purpose)
    case .keepAttempt(let session, let deadline, let content):
      let sealed = sealer.sealAttempt(content, of: session)
      try connection.run(
        """
        INSERT INTO attempt VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO UPDATE SET deadline = ?2, key = ?3, sealed = ?4
        """, session, deadline, sealed.key, sealed.content)
    case .endAttempt(let session):
      try connection.run("DELETE FROM attempt WHERE session = ?1", session)
    case .moveKey(_, let description):
      try connection.run(
        "UPDATE book SET key_source = ?1, key_description = ?2 WHERE one = 1", description.source,
        UTF8Text(description.parameters.encoded))
    case .erase(let account): try erase(account)
    case .beginCopy(let copy, let kind, let place):
      try connection.run(
        "INSERT INTO copy VALUES (?1, ?2, ?3, ?4, ?5, NULL)", copy, kind, now,
        sealer.sealPlace(place, of: copy), size)
    case .endCopy(let copy, let events):
      try connection.run("UPDATE copy SET events = ?2 WHERE id = ?1", copy, events)
    case .dropCopy(let copy): try connection.run("DELETE FROM copy WHERE id = ?1", copy)
    case .demandDocument(let name, let moment, _):
      try connection.run(
        """
        INSERT INTO document VALUES (?1, ?2, 0, NULL) ON CONFLICT DO UPDATE SET demanded = ?2
        """, name, moment)
    case .withdrawDemand(let name, let moment):
      // Another one that was made since is kept.
      try connection.run(
        "UPDATE document SET demanded = NULL WHERE name = ?1 AND demanded = ?2", name, moment)
    case .failDemand(let name, let moment):
      // `fresh` is its time below zero then, so what is kept of the document is not fresh any more.
      try connection.run(
        "UPDATE document SET fresh = -?2 WHERE name = ?1 AND demanded = ?2", name, moment)
    case .keepDocument(let name, let fresh, let content, _):
      try connection.run(
        """
        INSERT INTO document VALUES (?1, NULL, ?2, ?3)
        ON CONFLICT DO UPDATE SET fresh = ?2, sealed = ?3
        """, name, fresh, sealer.sealDocument(content, named: name))
    case .outdateDocuments: try connection.run("UPDATE document SET fresh = 0 WHERE fresh > 0")
    }
  }

  func provideKey(of account: AccountID) throws(GatebookError) {
    guard !sealer.holdsKey(of: account) else { return }
    try sealer.unwrap(try connection.wrappedKey(of: account), of: account)
  }
}

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
    try connection.run("DELETE FROM document")
    stream.isErased = true
    stream.key = nil
    sealer.forget(account)
  }
}
