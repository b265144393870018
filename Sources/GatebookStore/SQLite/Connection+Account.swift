internal import GatebookEvents

extension Connection {
  /// An account's number in the book; `nil` for one that is not there.
  func number(of account: AccountID) throws(GatebookError) -> Int64? {
    let statement = try statement("SELECT number FROM account WHERE id = ?1")
    statement.bind(1, account)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The account that a keyed hash leads to.
  func account(foundBy hash: [UInt8]) throws(GatebookError) -> AccountID? {
    try first(
      """
      SELECT a.id FROM account_lookup l JOIN account a ON a.number = l.account WHERE l.hash = ?1
      """, hash
    ) { AccountID(bytes: $0.raw(0)) }
  }

  /// The accounts with a key that does not open, in their order.
  func accountsWithoutWorkingKey(_ sealer: Sealer) throws(GatebookError) -> [AccountID] {
    try all(
      "SELECT id, key FROM account WHERE length(key) > 0 ORDER BY number"
    ) { (row) throws(GatebookError) in
      guard let account = AccountID(bytes: row.raw(0)) else { return nil }
      return try sealer.opens(row.bytes(1), of: account) ? nil : account
    }
  }

  /// An account's data key, wrapped.
  ///
  /// - Throws: `precondition.failed` for an account that is not there, or has no key any more.
  func wrappedKey(of account: AccountID) throws(GatebookError) -> [UInt8] {
    let statement = try statement("SELECT key FROM account WHERE id = ?1")
    statement.bind(1, account.bytes)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else {
      throw .erased(account)
    }
    let key = statement.bytes(0)
    guard !key.isEmpty else { throw .keyLost(account) }
    return key
  }
}
