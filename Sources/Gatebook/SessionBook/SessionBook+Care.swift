extension SessionBook {
  /// Erases an account: its personal data is destroyed; its history stays and can still be
  /// verified.
  ///
  /// ```
  /// log out (Gatebook tells the servers once) -> destroy the key, with the event -> cut the WAL
  /// ```
  ///
  /// The account's key is destroyed, and with it the personal data of its events, its secrets, its
  /// saved credentials and its lookups: a new login of the same user creates a new account. Readers
  /// get ``Personal/forgotten``. If it was the current account, the most recently used other
  /// account that is not logged out becomes current; without one, no account is current.
  ///
  /// Other processes that have the book open cannot use the key either: what they write about the
  /// account fails with `precondition.failed`. Data that they read before stays in their memory
  /// until they end.
  ///
  /// A killed process leaves an account that is logged out or erased; calling this again completes
  /// the erase.
  ///
  /// - Parameter account: The account. For an erased one, only remaining data is wiped.
  /// - Returns: The result, and the copies of the book that may still hold its key.
  /// - Throws: `configuration.invalid` for an unknown account, or a storage failure; the account
  ///   may then be logged out.
  @discardableResult
  public func erase(_ account: AccountID) async throws(GatebookError) -> Erasure {
    try await care.erase(account)
  }

  /// The copies of the book that may hold an account's key.
  ///
  /// - Parameter account: The account; `nil` for all copies.
  /// - Returns: The copies that were made with Gatebook, oldest first.
  /// - Throws: Storage failures.
  public func copies(withKeyOf account: AccountID? = nil) throws(GatebookError) -> [BookCopy] {
    if let account { return try ledger.reader.copies(withKeyOf: account) }
    return try ledger.reader.copies()
  }

  /// Moves the book's master key to another source, such as from a key file to the desktop keyring.
  ///
  /// The key itself does not change: processes that have the book open continue, and checkpoints
  /// kept elsewhere stay valid. Copies of the key also still open the book, so a move does not lock
  /// anybody out.
  ///
  /// The new source stores the key and returns it before anything is recorded (`key.changed`). The
  /// old source removes it only after the book was opened with the new one. If the process is
  /// killed at any point, the book still opens with the recorded source: ``AutomaticKey`` finds it.
  /// A leftover is removed when the key is moved to the same source again.
  ///
  /// The source that opened this book removes the old key; it must know the recorded place, as
  /// ``AutomaticKey`` does. A key file that the user named is kept.
  ///
  /// - Parameter source: The new place of the key; it must implement
  ///   ``KeySource/keep(_:of:random:)``. It may block for seconds, and a passphrase is asked for
  ///   more than once.
  /// - Returns: The result, including whether the old source removed the key.
  /// - Throws: The new source's failure, such as `key.locked`, with the key not moved;
  ///   `storage.busy` while another process moves it; `storage` failures.
  @discardableResult
  public func moveKey(to source: any KeySource) async throws(GatebookError) -> KeyMove {
    try await ledger.store.get().moveKey(to: source, random: ledger.random)
  }

  /// Moves the history so far into an archive and continues the book after it.
  ///
  /// The archive is a complete book that can be read and verified on its own and is never written
  /// again. This book keeps its file, identity, key, sessions and saved credentials. It continues
  /// from the state at the end of the archive; its next event, `book.continued`, records the hash
  /// of that state. Its log then begins there. Like every copy of a book, the archive holds the
  /// keys of its accounts, encrypted with the book's key.
  ///
  /// - Parameters:
  ///   - path: The archive's file, on a local file system; it must not exist yet.
  ///   - progress: Called with the progress and the total.
  /// - Returns: The archive.
  /// - Throws: `configuration.invalid` if the file exists; `storage.damaged` for a book that does
  ///   not agree with itself; other `storage` failures. The book is then unchanged.
  public func archive(
    to path: String, progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> Archive {
    try await ledger.store.get().archive(to: path, random: ledger.random, progress: progress)
  }

  /// Writes a copy of the whole book, at one moment, while other processes may write to the book.
  ///
  /// The copy opens with the book's key, which is not in it: back up the key too, in a different
  /// place. The copy holds the keys of all accounts; erasing an account later does not change the
  /// copy. So the copy is recorded before its first byte is written, and ``erase(_:)`` names it.
  ///
  /// It is written to a draft file, verified event by event, synced with its folder, and only then
  /// renamed. A killed process leaves a draft, `PATH-draft`, which the next backup to that path
  /// removes.
  ///
  /// - Parameters:
  ///   - path: The path of the copy; only its owner can read it.
  ///   - replacing: Whether to replace an existing file; never an open book.
  ///   - progress: Called with the number of copied pages and the total.
  /// - Returns: The copy.
  /// - Throws: `configuration.invalid` for a path that is not writable or exists. `storage.full` if
  ///   there is not enough space. `storage.busy` while another backup is written to that path.
  ///   `storage.damaged` if the copy fails its verification. `cancelled`. After an error, nothing
  ///   new is left at the path.
  @discardableResult
  public func backUp(
    to path: String, replacing: Bool = false,
    progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> BookCopy {
    try await ledger.store.get().backUp(
      to: path, replacing: replacing, random: ledger.random, progress: progress)
  }

  /// Computes the states of accounts and sessions again from the whole log; readers can read
  /// meanwhile.
  ///
  /// It first computes every hash of the log again: a damaged log is not used.
  ///
  /// - Parameter account: Only the states of this account and its sessions; `nil` for all states,
  ///   including the current account.
  /// - Returns: The position of the last event that was used.
  /// - Throws: `configuration.invalid` for an unknown account, `storage.damaged` for a log that
  ///   does not agree with itself, or another storage failure: the states are then unchanged.
  public func rebuild(_ account: AccountID? = nil) async throws(GatebookError) -> Position {
    try await care.rebuild(account)
  }
}
