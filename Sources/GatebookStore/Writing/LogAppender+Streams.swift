internal import GatebookCrypto
internal import GatebookEvents

extension LogAppender {
  /// The stream of an account, or the book's own.
  ///
  /// - Throws: `precondition.failed` for an account that the book does not know.
  func stream(of account: AccountID?) throws(GatebookError) -> Stream {
    if let known = streams[account] { return known }
    var number: Int64 = 0
    var isErased = false
    if let account {
      guard let found = try dictionaries.account(account) else {
        throw GatebookError(
          .preconditionFailed, "The book has no account \(account).",
          remedy: "Name an account of this book.")
      }
      number = found
      isErased = try !hasKey(found)
      // One that this process has unwrapped before somebody else destroyed it.
      if isErased { sealer.forget(account) }
    }
    let stream = Stream(
      of: account, number: number,
      revision: try BaselineRows(connection).lastRevision(of: number), isErased: isErased)
    streams[account] = stream
    return stream
  }

  /// The stream of an account that may be added to.
  ///
  /// - Throws: `precondition.failed` for an account that the book does not know, or that was
  ///   erased.
  func livingStream(of account: AccountID?) throws(GatebookError) -> Stream {
    let stream = try stream(of: account)
    if stream.isErased, let account { throw .erased(account) }
    return stream
  }

  private func hasKey(_ number: Int64) throws(GatebookError) -> Bool {
    try connection.has("SELECT 1 FROM account WHERE number = ?1 AND key IS NOT NULL", number)
  }

  /// The data key of an account.
  ///
  /// - Throws: `precondition.failed` when the account was erased.
  func key(of stream: Stream) throws(GatebookError) -> AuthenticatedCipher {
    if let key = stream.key { return key }
    guard let account = stream.account else { throw .storageDamaged("The book has no key.") }
    try provideKey(of: account)
    guard let key = sealer.key(of: account) else { throw .storageDamaged("A key is lost.") }
    stream.key = key
    return key
  }
}

/// What the writer remembers of one stream while nobody else writes: found by one hash, at hand for
/// everything that an event needs.
final class Stream {
  /// `nil` for the book's own stream.
  let account: AccountID?
  /// What stands for it in the tables; 0 for the book's own stream.
  let number: Int64
  /// The revision of its last event.
  var revision: Int64
  /// The account's data key, once it was needed.
  var key: AuthenticatedCipher?
  /// Whether the account's key was destroyed: nothing is added to what is only history now.
  var isErased: Bool

  init(of account: AccountID?, number: Int64, revision: Int64, isErased: Bool) {
    self.account = account
    self.number = number
    self.revision = revision
    self.isErased = isErased
  }
}
