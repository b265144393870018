internal import GatebookEvents

extension Connection {
  /// An account's number in the book; `nil` for one that is not there.
  func number(of account: AccountID) throws(GatebookError) -> Int64? {
    let statement = try statement("SELECT number FROM account WHERE id = ?1")
    statement.bind(1, account)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
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
