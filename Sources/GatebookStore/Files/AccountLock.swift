internal import GatebookEvents
internal import GatebookSystem

/// The lock of one account's renewal over all processes: byte 2^32 + n of the lock file, through a
/// descriptor of its own.
///
/// What waits for the account's servers is locked the same way, at byte 2^40 + n, and what a login
/// attempt keeps, at byte 2^48 + m. No account is 0: byte 2^32 stands for a move of the key, byte
/// 2^40 for an archive. The kernel releases a lock with its process, so an intent without its lock
/// is orphaned.
package final class AccountLock: Sendable {
  private let file: OpenFile
  private let byte: Int64

  private init(_ file: OpenFile, _ byte: Int64) {
    self.file = file
    self.byte = byte
    LockNote.write(file, byte)
  }

  deinit {
    LockNote.remove(file, byte)
    // Closing alone would not do: a child process that was forked meanwhile has the descriptor
    // until it runs its program.
    file.unlock(byte)
  }

  /// Takes the lock if nobody holds it; `nil` when somebody does.
  static func take(_ file: BookFile, account number: Int64) throws(GatebookError) -> AccountLock? {
    try take(file, byte: 1 << 32 + number)
  }

  /// Whether somebody holds the lock; `nil` where that cannot be seen.
  static func isHeld(_ file: BookFile, account number: Int64) -> Bool? {
    isHeld(file, byte: 1 << 32 + number)
  }

  /// Who holds the lock of an account's renewal; `nil` for nobody, and where that cannot be seen.
  static func holder(_ file: BookFile, account number: Int64) -> LockHolder? {
    holder(file, byte: 1 << 32 + number)
  }

  /// Who holds the lock of what waits for an account's servers; `nil` for nobody, and where that
  /// cannot be seen.
  static func holder(_ file: BookFile, outbox number: Int64) -> LockHolder? {
    holder(file, byte: 1 << 40 + number)
  }

  private static func holder(_ file: BookFile, byte: Int64) -> LockHolder? {
    isHeld(file, byte: byte) == true ? LockHolder(of: byte, file) : nil
  }

  private static func isHeld(_ file: BookFile, byte: Int64) -> Bool? {
    OpenFile.open(file.lockPath, .read)?.isLocked(byte)
  }

  /// Takes the lock of what waits for an account's servers if nobody holds it; `nil` when somebody
  /// does.
  static func take(
    _ file: BookFile, outbox number: Int64
  ) throws(GatebookError) -> AccountLock? {
    try take(file, byte: 1 << 40 + number)
  }

  /// Takes the lock of what a login attempt keeps if nobody holds it; `nil` when somebody does.
  static func take(
    _ file: BookFile, attempt session: SessionID
  ) throws(GatebookError) -> AccountLock? {
    // 40 random bits of its name: two that share them cannot be held at once, and that is all.
    let number = session.bytes.suffix(5).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return try take(file, byte: 1 << 48 + number)
  }

  private static func take(_ file: BookFile, byte: Int64) throws(GatebookError) -> AccountLock? {
    guard let lock = OpenFile.open(file.lockPath, .update) else {
      throw GatebookError(
        .storageReadOnly, "The book's lock file cannot be opened for writing.",
        remedy: "Allow writing to the book's folder, then try again.",
        cause: SystemError.last.text)
    }
    return lock.lock(byte) ? AccountLock(lock, byte) : nil
  }
}
