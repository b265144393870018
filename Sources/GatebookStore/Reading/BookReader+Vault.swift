package import GatebookCrypto
package import GatebookEvents

extension BookReader {
  /// A secret of an account, read from the vault as it is now.
  ///
  /// - Returns: `nil` when the vault is readable and holds none.
  /// - Throws: `key.missing` if the book was opened without its key; `storage.damaged` if the
  ///   encrypted bytes were changed.
  package func secret(
    of account: AccountID, purpose: String
  ) throws(GatebookError) -> [UInt8]? {
    let sealer = try usableSealer
    let rows = try connection.rows(
      """
      SELECT v.generation, v.sealed, a.key FROM vault v JOIN account a ON a.number = v.account
      WHERE a.id = ?1 AND v.purpose = ?2
      """, account, purpose)
    guard let row = try rows.next(), !row.isNull(2) else { return nil }
    try sealer.unwrap(row.bytes(2), of: account)
    let binding = Sealer.Binding.vault(purpose: purpose, generation: row.integer(0))
    guard let secret = sealer.open(row.bytes(1), of: account, binding) else {
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
    try usableConnection.has(
      """
      SELECT 1 FROM vault v JOIN account a ON a.number = v.account
      WHERE a.id = ?1 AND v.purpose = ?2 AND a.key IS NOT NULL
      """, account, purpose)
  }

  /// The accounts that have no key although they were not erased: their encrypted facts read as
  /// forgotten.
  ///
  /// - Returns: Ids, in the order of the accounts; those whose key a recovery did not find are none
  ///   of them.
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
    try connection.all("SELECT id FROM account WHERE \(condition) ORDER BY number") {
      (row) throws(GatebookError) in
      guard let account = AccountID(bytes: row.bytes(0)),
        let state = try state(of: account)?.state, (state == .ended(.erased)) == wereErased
      else { return nil }
      return account
    }
  }

  /// What the logins that wait without an account have kept, oldest deadline first.
  ///
  /// One whose encrypted bytes were changed is left out, so that the others can continue.
  ///
  /// - Throws: `key.missing` when the book was opened without its key.
  package func attempts() throws(GatebookError) -> [Attempt] {
    let sealer = try usableSealer
    // A book that no writer of this version has opened yet has no place for them.
    guard try connection.integer("PRAGMA user_version") >= 2 else { return [] }
    return try connection.all(
      "SELECT session, deadline, key, sealed FROM attempt ORDER BY deadline, session"
    ) { row in
      guard let session = SessionID(bytes: row.bytes(0)),
        let content = sealer.openAttempt(row.bytes(3), key: row.bytes(2), of: session)
      else { return nil }
      return Attempt(
        session: session, deadline: Timestamp(rawValue: row.integer(1)), content: content)
    }
  }

  /// Whether a login still waits for the person.
  ///
  /// - Parameters:
  ///   - login: The session that it is to become.
  ///   - now: Its time is over by then; `nil`: whenever that is.
  /// - Returns: Whether what it needs to continue is kept.
  /// - Throws: Storage failures.
  package func waits(_ login: SessionID, at now: Moment?) throws(GatebookError) -> Bool {
    try check()
    guard try connection.integer("PRAGMA user_version") >= 2 else { return false }
    return try connection.first("SELECT deadline FROM attempt WHERE session = ?1", login) {
      row in now.map { $0.wall.rawValue < row.integer(0) } ?? true
    } ?? false
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
    return try connection.all(
      "SELECT session FROM attempt WHERE deadline > ?1 ORDER BY deadline DESC LIMIT ?2",
      now?.wall.rawValue ?? .min, Int64(limit)
    ) { SessionID(bytes: $0.raw(0)) }
  }

  /// What a server publishes for everybody, as the book has it.
  ///
  /// - Parameter parts: What tells it from other documents, such as its URL.
  /// - Returns: Its name, and what is known of it; `nil` for nothing.
  /// - Throws: `key.missing` when the book was opened without its key, `storage` failures.
  package func document(
    _ parts: [String]
  ) throws(GatebookError) -> (name: DocumentName, kept: KeptDocument?) {
    let sealer = try usableSealer
    let name = sealer.keys.documentName(parts)
    guard try connection.integer("PRAGMA user_version") >= 6 else { return (name, nil) }
    let rows = try connection.rows(
      "SELECT demanded, fresh, sealed FROM document WHERE name = ?1", name.bytes)
    guard let row = try rows.next() else { return (name, nil) }
    let sealed = row.isNull(2) ? nil : row.bytes(2)
    let fresh = row.integer(1)
    return (
      name,
      KeptDocument(
        demanded: row.optionalInteger(0).map { Timestamp(rawValue: $0) },
        fresh: Timestamp(rawValue: max(0, fresh)),
        vain: fresh < 0 ? Timestamp(rawValue: -max(fresh, -Int64.max)) : nil,
        content: sealed.flatMap { sealer.openDocument($0, named: name) }, sealed: sealed)
    )
  }

  /// The account that a keyed hash leads to.
  package func account(named parts: [String]) throws(GatebookError) -> AccountID? {
    try connection.account(foundBy: try lookupHash(parts))
  }

  /// Whether a keyed hash leads to an account that is not there: no new one can be made for it
  /// then.
  ///
  /// - Parameter parts: What the hash is of.
  /// - Returns: Whether it does.
  /// - Throws: `key.missing` when the book was opened without its key; `storage` failures.
  package func leadsNowhere(_ parts: [String]) throws(GatebookError) -> Bool {
    try connection.has(
      """
      SELECT 1 FROM account_lookup WHERE hash = ?1 AND account NOT IN (SELECT number FROM account)
      """, try lookupHash(parts))
  }

  /// The keyed hashes of all names that find an account, such as to tell later whether an answer is
  /// about its user, when the book may not be readable.
  package func lookupHashes(of account: AccountID) throws(GatebookError) -> Set<[UInt8]> {
    let hashes = try usableConnection.all(
      """
      SELECT l.hash FROM account_lookup l JOIN account a ON a.number = l.account WHERE a.id = ?1
      """, account
    ) { $0.bytes(0) }
    return Set(hashes)
  }

  /// The keyed hash of the parts that name a person.
  package func lookupHash(_ parts: [String]) throws(GatebookError) -> [UInt8] {
    try usableSealer.keys.lookupHash(parts)
  }

  /// The fingerprint that tells typed names apart in the book's own stream.
  package func nameFingerprint(_ parts: [String]) throws(GatebookError) -> String {
    try usableSealer.keys.nameFingerprint(parts)
  }
}

extension BookReader {
  /// Makes the data key of an account to be, wrapped: for its `Append.NewAccount`.
  ///
  /// So secrets that are stored in one transaction with the account can hold fingerprints already.
  package func newKey(of account: AccountID) throws(GatebookError) -> [UInt8] {
    try usableSealer.wrapNewKey(of: account)
  }

  /// Tells a random secret from another one of the same account without showing it.
  ///
  /// - Parameters:
  ///   - secret: Never a password, nor what people type: it could be guessed.
  ///   - account: The account.
  ///   - key: What `newKey(of:)` made; `nil` for an account that is in the book.
  /// - Returns: 32 hexadecimal digits ("Event format", section "Sealed bytes").
  /// - Throws: `key.missing`, `storage.damaged`, or `precondition.failed` for an unknown account.
  package func fingerprint(
    of secret: Secret, for account: AccountID, key: [UInt8]? = nil
  ) throws(GatebookError) -> String {
    let sealer = try usableSealer
    let wrapped = if let key { key } else { try connection.wrappedKey(of: account) }
    return try sealer.fingerprint(of: secret, for: account, wrapped: wrapped)
  }
}

/// What a login that waits without an account has kept.
package struct Attempt: Sendable {
  /// The login.
  package let session: SessionID
  /// Until when it waits.
  package let deadline: Timestamp
  /// What it needs to continue.
  package let content: [UInt8]
}
