internal import GatebookEvents

extension LogAppender {
  func add(_ account: Append.NewAccount) throws(GatebookError) {
    let key = account.key ?? sealer.makeKey(for: account.id)
    _ = try dictionaries.addAccount(account.id, key: key)
    for hash in account.lookups { try add(hash, of: account.id) }
  }

  func add(_ hash: [UInt8], of account: AccountID) throws(GatebookError) {
    try connection.run(
      "INSERT INTO account_lookup VALUES (?1, ?2) ON CONFLICT DO UPDATE SET account = ?2", hash,
      try stream(of: account).number)
  }

  func findAccount(_ hash: [UInt8]) throws(GatebookError) -> Int64? {
    try connection.first(
      "SELECT account FROM account_lookup WHERE hash = ?1", hash
    ) { $0.integer(0) }
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
        StoredText(description.parameters.encoded))
    case .erase(let account): try erase(account)
    case .beginCopy(let copy, let kind, let place): try begin(copy, kind, place)
    case .endCopy(let copy, let events): try end(copy, events)
    case .dropCopy(let copy): try drop(copy)
    case .demandDocument(let name, let moment, _): try demand(name, at: moment)
    case .withdrawDemand(let name, let moment): try withdrawDemand(name, madeAt: moment)
    case .failDemand(let name, let moment): try failDemand(name, madeAt: moment)
    case .keepDocument(let name, let fresh, let content, _): try keep(name, until: fresh, content)
    case .outdateDocuments: try outdateDocuments()
    }
  }

  func hasAttempt(_ session: SessionID) throws(GatebookError) -> Bool {
    try connection.has("SELECT 1 FROM attempt WHERE session = ?1", session)
  }

  func provideKey(of account: AccountID) throws(GatebookError) {
    guard !sealer.holdsKey(of: account) else { return }
    try sealer.unwrap(try connection.wrappedKey(of: account), of: account)
  }
}
