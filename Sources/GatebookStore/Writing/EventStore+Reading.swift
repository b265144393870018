package import GatebookEvents

extension EventStore {
  /// A reader of the same book with the same keys, with a connection of its own.
  package nonisolated func makeReader() throws(GatebookError) -> BookReader {
    try BookReader.open(beside: self)
  }
}

extension BookReader {
  /// Takes the renewal lock of an account if nobody holds it.
  ///
  /// - Returns: The lock, released with its last reference; `nil` when somebody holds it.
  package func takeLock(of account: AccountID) throws(GatebookError) -> AccountLock? {
    guard let number = try connection.number(of: account) else { return nil }
    return try AccountLock.take(file, .account(number))
  }

  /// Takes the lock of what waits for an account's servers if nobody holds it.
  ///
  /// - Returns: The lock, released with its last reference; `nil` when somebody holds it.
  package func takeLock(ofOutbox account: AccountID) throws(GatebookError) -> AccountLock? {
    guard let number = try connection.number(of: account) else { return nil }
    return try AccountLock.take(file, .outbox(number))
  }

  /// Takes the lock of what a login attempt keeps if nobody holds it.
  ///
  /// - Returns: The lock, released with its last reference; `nil` when somebody holds it.
  package func takeLock(ofAttempt session: SessionID) throws(GatebookError) -> AccountLock? {
    try AccountLock.take(file, .attempt(session))
  }
}
