internal import GatebookEvents

/// The accounts of a damaged book, and what is lost of them.
///
/// One whose row is lost and that is known by other means has no key: an empty one tells it from an
/// account that was erased.
struct RecoveredAccounts: BookTables {
  let connection: Connection

  /// Finds those whose rows are lost, and takes away what belongs to none.
  ///
  /// The next new account would get a number that is lost, and with it what was another person's.
  ///
  /// - Parameter pages: The damaged file.
  /// - Returns: How many are lost whole.
  /// - Throws: `storage` failures; `cancelled`.
  func find(_ pages: RawPages) throws(GatebookError) -> Int64 {
    var names = SalvagedNames(connection, pages)
    try names.find()
    let unknown = try connection.integer(
      """
      SELECT count(*) FROM (
        SELECT account FROM account_state UNION SELECT account FROM vault
        UNION SELECT account FROM account_lookup)
      WHERE account NOT IN (SELECT number FROM account)
      """)
    for table in ["vault", "account_lookup"] {
      try connection.execute(
        """
        DELETE FROM \(table)
        WHERE account NOT IN (SELECT number FROM account WHERE length(key) > 0)
        """)
    }
    // Which hashes were lost is not known: the lists are built again from those that are left.
    try connection.run("DELETE FROM vault WHERE purpose = ?1", LookupList.purpose)
    return unknown
  }

  /// Finds those that nothing tells the state of, and takes away what leads to them and what they
  /// kept: a login of the same person then makes a new account.
  func dropWithoutState(_ fold: BookFold) throws(GatebookError) -> [AccountID] {
    let lost = try accounts("WHERE key IS NOT NULL").filter { fold.state(of: $0) == nil }
    try forget(lost)
    return lost
  }

  /// Takes away keys that do not open, what they would open, and what leads there: whatever meets
  /// one fails, while an account without a key is one of whom a login makes a new one.
  func dropUnopened(by sealer: Sealer) throws(GatebookError) {
    let accounts = try connection.accountsWithoutWorkingKey(sealer)
    try forget(accounts)
    for account in accounts { try setKey(of: account, to: "x''") }
  }

  private func setKey(of account: AccountID, to none: String) throws(GatebookError) {
    try connection.run("UPDATE account SET key = \(none) WHERE id = ?1", account)
  }

  private func forget(_ accounts: [AccountID]) throws(GatebookError) {
    for account in accounts {
      for table in ["vault", "account_lookup"] {
        try connection.run(
          "DELETE FROM \(table) WHERE account = (SELECT number FROM account WHERE id = ?1)",
          account.bytes)
      }
    }
  }

  /// Those whose key is lost; one that was erased has lost nothing, and keeps nothing.
  func withoutKey(_ fold: BookFold) throws(GatebookError) -> [AccountID] {
    let erased = Set(try accounts("").filter { fold.state(of: $0)?.state == .ended(.erased) })
    try forget(Array(erased))
    for account in erased { try setKey(of: account, to: "NULL") }
    let lost = try accounts("WHERE coalesce(length(key), 0) = 0").filter {
      fold.state(of: $0) != nil && !erased.contains($0)
    }
    for account in lost { try setKey(of: account, to: "x''") }
    return lost
  }

  /// Those with a key that no name leads to.
  func withoutLookup(_ fold: BookFold) throws(GatebookError) -> [AccountID] {
    try accounts(
      "WHERE length(key) > 0 AND number NOT IN (SELECT account FROM account_lookup)"
    ).filter { fold.state(of: $0) != nil }
  }

  /// Those with a key and a session whose secret is not in the vault.
  func withoutSecret(_ fold: BookFold) throws(GatebookError) -> [AccountID] {
    try without("session").filter { fold.state(of: $0)?.state.isUsable == true }
  }

  /// Those with a key and saved credentials that are not in the vault.
  func withoutCredentials(_ fold: BookFold) throws(GatebookError) -> [AccountID] {
    try without("credentials").filter { fold.state(of: $0)?.savedCredentials == true }
  }

  private func without(_ purpose: String) throws(GatebookError) -> [AccountID] {
    try accounts(
      """
      WHERE length(key) > 0
        AND number NOT IN (SELECT account FROM vault WHERE purpose = '\(purpose)')
      """)
  }

  private func accounts(_ condition: String) throws(GatebookError) -> [AccountID] {
    try connection.all("SELECT id FROM account \(condition) ORDER BY id") {
      AccountID(bytes: $0.bytes(0))
    }
  }
}
