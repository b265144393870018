/// Erasing, copying, archiving, rebuilding, and moving the key.
struct BookCare {
  let ledger: Ledger
  let challenges: Challenges
  let outbox: Outbox
  let waiting: WaitingLogins
  let logouts: Logouts

  /// Computes the states of accounts and sessions again from the whole log.
  func rebuild(_ account: AccountID?) async throws(GatebookError) -> Position {
    try await BookVerifier(path: ledger.reader.path).requireWholeLog()
    let log = try ledger.reader.foldLog(of: account)
    // Only the log knows: the account's row may be the one that must be rebuilt.
    if let account, !log.fold.holds(account) { throw Ledger.unknown(account) }
    return try await ledger.store.get().rebuild(from: log)
  }
}

/// The result of erasing an account.
public struct Erasure: Hashable, Sendable {
  /// The account as it is now: its history without its user.
  public let context: SessionContext
  /// The event of the erase.
  public let position: Position
  /// Whether it had already been erased: then only remaining data was wiped.
  public let isRepeated: Bool
  /// How many messages for its servers were dropped: their sessions and tokens stay valid there
  /// until they expire.
  public let untold: Int
  /// Whether the destroyed key is no longer in any file of the book.
  ///
  /// `false` while a program reads an older state; the next write then wipes it.
  public let isWiped: Bool
  /// Earlier copies of the book that may still hold the key.
  public let copies: [BookCopy]
}
