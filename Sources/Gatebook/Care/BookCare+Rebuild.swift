extension BookCare {
  /// Computes the states of accounts and sessions again from the whole log; readers can read
  /// meanwhile.
  func rebuild(_ account: AccountID? = nil) async throws(GatebookError) -> Position {
    try await BookVerifier(path: ledger.reader.path).requireWholeLog()
    let log = try ledger.reader.foldLog(of: account)
    // Only the log knows: the account's row may be the one that must be rebuilt.
    if let account, !log.fold.holds(account) { throw Ledger.unknown(account) }
    return try await ledger.store.get().rebuild(from: log)
  }
}
