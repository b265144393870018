package import GatebookEvents

extension BookReader {
  /// A secret of an account, read from the vault as it is now.
  ///
  /// - Returns: `nil` when the vault is readable and holds none.
  /// - Throws: `key.missing` when the book was opened without its key; `storage.damaged` when the
  ///   sealed bytes were changed.
  package func secret(
    of account: AccountID, purpose: String
  ) throws(GatebookError) -> [UInt8]? {
    try check()
    guard let sealer else { throw Self.noKey }
    let statement = try connection.statement(
      """
      SELECT v.generation, v.sealed, a.key FROM vault v JOIN account a ON a.number = v.account
      WHERE a.id = ?1 AND v.purpose = ?2
      """)
    statement.bind(1, account.bytes)
    statement.bind(2, purpose)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(2) else { return nil }
    try sealer.unwrap(statement.bytes(2), of: account)
    let binding = Sealer.Binding.vault(purpose: purpose, generation: statement.integer(0))
    guard let secret = sealer.open(statement.bytes(1), of: account, binding) else {
      throw GatebookError(
        .storageDamaged, "A secret of account \(account) was changed and cannot be decrypted.",
        kept: "The file was left as it is.",
        remedy:
          "Log the account in again: that replaces the secret. A copy of the book from before may still "
          + "have it.")
    }
    return secret
  }

  /// Whether an account has a secret, be it readable or not; no key is needed.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - purpose: What the secret is for.
  /// - Returns: Whether it has.
  /// - Throws: `storage` failures.
  package func hasSecret(
    of account: AccountID, purpose: String
  ) throws(GatebookError) -> Bool {
    try check()
    let statement = try connection.statement(
      """
      SELECT 1 FROM vault v JOIN account a ON a.number = v.account
      WHERE a.id = ?1 AND v.purpose = ?2 AND a.key IS NOT NULL
      """)
    statement.bind(1, account.bytes)
    statement.bind(2, purpose)
    defer { statement.reset() }
    return try statement.step()
  }

  /// The accounts with a secret that does not open: it was changed, or stands in another one's place.
  ///
  /// - Returns: Ids, each once, in the order of their accounts.
  /// - Throws: `key.missing` when the book was opened without its key, `storage` failures.
  package func accountsWithChangedSecrets() throws(GatebookError) -> [AccountID] {
    var accounts: [AccountID] = []
    for (account, _) in try changedSecrets() where accounts.last != account {
      accounts.append(account)
    }
    return accounts
  }

  /// The accounts with a key that does not open under the book's own.
  ///
  /// - Returns: Ids, in the order of the accounts.
  /// - Throws: `storage` failures.
  package func accountsWithoutWorkingKey() throws(GatebookError) -> [AccountID] {
    guard let sealer else { return [] }
    let rows = try connection.statement(
      "SELECT id, key FROM account WHERE length(key) > 0 ORDER BY number")
    defer { rows.reset() }
    var accounts: [AccountID] = []
    while try rows.step() {
      guard let account = AccountID(bytes: rows.bytes(0)) else { continue }
      if try !sealer.opens(rows.bytes(1), of: account) { accounts.append(account) }
    }
    return accounts
  }

  /// The accounts without a key that nobody has erased: what is sealed for them reads as forgotten.
  ///
  /// - Returns: Ids, in the order of the accounts; those whose key a recovery did not find are none of them.
  /// - Throws: `storage` failures.
  package func accountsWithoutKey() throws(GatebookError) -> [AccountID] {
    try accounts(where: "key IS NULL", wereErased: false)
  }

  /// The accounts that were erased and have a key all the same.
  ///
  /// - Returns: Ids, in the order of the accounts.
  /// - Throws: `storage` failures.
  package func erasedAccountsWithKey() throws(GatebookError) -> [AccountID] {
    try accounts(where: "length(key) > 0", wereErased: true)
  }

  private func accounts(
    where condition: String, wereErased: Bool
  ) throws(GatebookError) -> [AccountID] {
    let rows = try connection.statement(
      "SELECT id FROM account WHERE \(condition) ORDER BY number")
    defer { rows.reset() }
    var accounts: [AccountID] = []
    while try rows.step() {
      guard let account = AccountID(bytes: rows.bytes(0)),
        let state = try state(of: account)?.state, (state == .ended(.erased)) == wereErased
      else { continue }
      accounts.append(account)
    }
    return accounts
  }

  /// The secrets that do not open, by account and purpose, in the order of their accounts.
  func changedSecrets() throws(GatebookError) -> [(account: AccountID, purpose: String)] {
    try check()
    let statement = try connection.statement(
      """
      SELECT a.id, v.purpose FROM vault v JOIN account a ON a.number = v.account ORDER BY a.number
      """)
    var secrets: [(account: AccountID, purpose: String)] = []
    while try statement.step() {
      guard let account = AccountID(bytes: statement.bytes(0)) else { continue }
      secrets.append((account, statement.text(1)))
    }
    statement.reset()
    var changed: [(account: AccountID, purpose: String)] = []
    for (account, purpose) in secrets {
      do throws(GatebookError) {
        _ = try secret(of: account, purpose: purpose)
      } catch  where error.code == .storageDamaged {
        changed.append((account, purpose))
      }
    }
    return changed
  }

  /// What the logins that wait without an account have kept, oldest deadline first.
  ///
  /// One whose sealed bytes were changed is left out: it must not keep the others from going on.
  ///
  /// - Throws: `key.missing` when the book was opened without its key.
  package func attempts() throws(GatebookError) -> [Attempt] {
    try check()
    guard let sealer else { throw Self.noKey }
    // A book that no writer of this version has opened yet has no place for them.
    guard try connection.integer("PRAGMA user_version") >= 2 else { return [] }
    let statement = try connection.statement(
      "SELECT session, deadline, key, sealed FROM attempt ORDER BY deadline, session")
    defer { statement.reset() }
    var attempts: [Attempt] = []
    while try statement.step() {
      guard let session = SessionID(bytes: statement.bytes(0)),
        let content = sealer.openAttempt(
          statement.bytes(3), key: statement.bytes(2), of: session)
      else { continue }
      attempts.append(
        Attempt(
          session: session, deadline: Timestamp(rawValue: statement.integer(1)),
          content: content))
    }
    return attempts
  }

  /// Whether a login still waits for the person.
  ///
  /// - Parameters:
  ///   - login: The session that it is to become.
  ///   - now: Its time is over by then; `nil`: whenever that is.
  /// - Returns: Whether what it needs to go on is kept.
  /// - Throws: Storage failures.
  package func waits(_ login: SessionID, at now: Moment?) throws(GatebookError) -> Bool {
    try check()
    guard try connection.integer("PRAGMA user_version") >= 2 else { return false }
    let row = try connection.statement("SELECT deadline FROM attempt WHERE session = ?1")
    row.bind(1, login.bytes)
    defer { row.reset() }
    guard try row.step() else { return false }
    return now.map { $0.wall.rawValue < row.integer(0) } ?? true
  }

  /// The logins that still wait for the person by then, as the sessions that they are to become.
  ///
  /// - Parameters:
  ///   - now: Those whose time is over by then wait no more; `nil`: none is over.
  ///   - limit: How many at most, those whose time is the longest.
  /// - Returns: Their sessions.
  /// - Throws: Storage failures.
  package func waitingLogins(
    at now: Moment?, limit: Int
  ) throws(GatebookError) -> [SessionID] {
    try check()
    guard try connection.integer("PRAGMA user_version") >= 2 else { return [] }
    let rows = try connection.statement(
      "SELECT session FROM attempt WHERE deadline > ?1 ORDER BY deadline DESC LIMIT ?2")
    rows.bind(1, now?.wall.rawValue ?? .min)
    rows.bind(2, Int64(limit))
    defer { rows.reset() }
    var logins: [SessionID] = []
    while try rows.step() {
      if let login = SessionID(bytes: rows.raw(0)) { logins.append(login) }
    }
    return logins
  }

  /// What a server publishes for everybody, as the book has it.
  ///
  /// - Parameter parts: What tells it from other documents, such as its URL.
  /// - Returns: Its name, and what is known of it; `nil` for nothing.
  /// - Throws: `key.missing` when the book was opened without its key, `storage` failures.
  package func document(
    _ parts: [String]
  ) throws(GatebookError) -> (name: DocumentName, kept: KeptDocument?) {
    try check()
    guard let sealer else { throw Self.noKey }
    let name = sealer.keys.documentName(parts)
    guard try connection.integer("PRAGMA user_version") >= 6 else { return (name, nil) }
    let statement = try connection.statement(
      "SELECT demanded, fresh, sealed FROM document WHERE name = ?1")
    statement.bind(1, name.bytes)
    defer { statement.reset() }
    guard try statement.step() else { return (name, nil) }
    let sealed = statement.isNull(2) ? nil : statement.bytes(2)
    let fresh = statement.integer(1)
    return (
      name,
      KeptDocument(
        demanded: statement.optionalInteger(0).map { Timestamp(rawValue: $0) },
        fresh: Timestamp(rawValue: max(0, fresh)),
        vain: fresh < 0 ? Timestamp(rawValue: -max(fresh, -Int64.max)) : nil,
        content: sealed.flatMap { sealer.openDocument($0, named: name) }, sealed: sealed)
    )
  }

  /// The account that a keyed hash leads to.
  package func account(named parts: [String]) throws(GatebookError) -> AccountID? {
    let hash = try lookupHash(parts)
    let statement = try connection.statement(
      """
      SELECT a.id FROM account_lookup l JOIN account a ON a.number = l.account WHERE l.hash = ?1
      """)
    statement.bind(1, hash)
    defer { statement.reset() }
    return try statement.step() ? AccountID(bytes: statement.raw(0)) : nil
  }

  /// Whether a keyed hash leads to an account that is not there: no new one can be made for it then.
  ///
  /// - Parameter parts: What the hash is of.
  /// - Returns: Whether it does.
  /// - Throws: `key.missing` when the book was opened without its key; `storage` failures.
  package func leadsNowhere(_ parts: [String]) throws(GatebookError) -> Bool {
    let statement = try connection.statement(
      """
      SELECT 1 FROM account_lookup WHERE hash = ?1 AND account NOT IN (SELECT number FROM account)
      """)
    statement.bind(1, try lookupHash(parts))
    defer { statement.reset() }
    return try statement.step()
  }

  /// The keyed hashes of all names that find an account, such as to tell later whether an answer is
  /// about its user, when the book may not be readable.
  package func lookupHashes(of account: AccountID) throws(GatebookError) -> Set<[UInt8]> {
    try check()
    let statement = try connection.statement(
      """
      SELECT l.hash FROM account_lookup l JOIN account a ON a.number = l.account WHERE a.id = ?1
      """)
    statement.bind(1, account.bytes)
    defer { statement.reset() }
    var hashes: Set<[UInt8]> = []
    while try statement.step() { hashes.insert(statement.bytes(0)) }
    return hashes
  }

  /// The keyed hash of the parts that name a person.
  package func lookupHash(_ parts: [String]) throws(GatebookError) -> [UInt8] {
    try check()
    guard let sealer else { throw Self.noKey }
    return sealer.keys.lookupHash(parts)
  }

  /// The fingerprint that tells typed names apart in the book's own stream.
  package func nameFingerprint(_ parts: [String]) throws(GatebookError) -> String {
    guard let sealer else { throw Self.noKey }
    return sealer.keys.nameFingerprint(parts)
  }

  static var noKey: GatebookError {
    GatebookError(
      .keyMissing, "The book was opened without its key.",
      remedy: "Open the book with its key file or passphrase.")
  }
}
