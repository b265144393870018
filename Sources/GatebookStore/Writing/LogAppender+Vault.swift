internal import GatebookEvents

extension LogAppender {
  func add(_ account: Append.NewAccount) throws(GatebookError) {
    let key = account.key ?? sealer.makeKey(for: account.id)
    _ = try dictionaries.addAccount(account.id, key: key)
    for hash in account.lookups { try add(hash, of: account.id) }
  }

  func add(_ hash: [UInt8], of account: AccountID) throws(GatebookError) {
    let statement = try connection.statement(
      "INSERT INTO account_lookup VALUES (?1, ?2) ON CONFLICT DO UPDATE SET account = ?2")
    statement.bind(1, hash)
    statement.bind(2, try stream(of: account).number)
    try statement.run()
  }

  func findAccount(_ hash: [UInt8]) throws(GatebookError) -> Int64? {
    let statement = try connection.statement(
      "SELECT account FROM account_lookup WHERE hash = ?1")
    statement.bind(1, hash)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  func apply(_ change: Append.VaultChange) throws(GatebookError) {
    switch change {
    case .set(let account, let purpose, let generation, let content):
      try provideKey(of: account)
      let statement = try connection.statement(
        """
        INSERT INTO vault VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO UPDATE SET generation = ?3, sealed = ?4
        """)
      statement.bind(1, try stream(of: account).number)
      statement.bind(2, purpose)
      statement.bind(3, generation)
      statement.bind(
        4, sealer.seal(content, of: account, .vault(purpose: purpose, generation: generation)))
      try statement.run()
    case .remove(let account, let purpose):
      let statement = try connection.statement(
        "DELETE FROM vault WHERE account = ?1 AND purpose = ?2")
      statement.bind(1, try stream(of: account).number)
      statement.bind(2, purpose)
      try statement.run()
    case .keepAttempt(let session, let deadline, let content):
      let sealed = sealer.sealAttempt(content, of: session)
      let statement = try connection.statement(
        """
        INSERT INTO attempt VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO UPDATE SET deadline = ?2, key = ?3, sealed = ?4
        """)
      statement.bind(1, session.bytes)
      statement.bind(2, deadline.rawValue)
      statement.bind(3, sealed.key)
      statement.bind(4, sealed.content)
      try statement.run()
    case .endAttempt(let session):
      let statement = try connection.statement("DELETE FROM attempt WHERE session = ?1")
      statement.bind(1, session.bytes)
      try statement.run()
    case .moveKey(_, let description):
      let statement = try connection.statement(
        "UPDATE book SET key_source = ?1, key_description = ?2 WHERE one = 1")
      statement.bind(1, description.source)
      statement.bind(2, text: description.parameters.encoded)
      try statement.run()
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
    let statement = try connection.statement("SELECT 1 FROM attempt WHERE session = ?1")
    statement.bind(1, session.bytes)
    defer { statement.reset() }
    return try statement.step()
  }

  func provideKey(of account: AccountID) throws(GatebookError) {
    guard !sealer.holdsKey(of: account) else { return }
    try sealer.unwrap(try connection.wrappedKey(of: account), of: account)
  }
}
