internal import GatebookEvents
internal import GatebookSystem

/// The lock of something of one account over all processes: a byte of the lock file, through a
/// descriptor of its own.
///
/// The kernel releases a lock with its process, so an intent without its lock is orphaned.
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

  /// What is locked, by its account's number; no account is 0.
  enum Subject {
    /// An account's renewal, at byte 2^32 + n; of 0 a move of the key.
    case account(Int64)
    /// What waits for an account's servers, at byte 2^40 + n; of 0 an archive.
    case outbox(Int64)
    /// What a login attempt keeps, at byte 2^48 + m.
    case attempt(SessionID)

    fileprivate var byte: Int64 {
      switch self {
      case .account(let number): 1 << 32 + number
      case .outbox(let number): 1 << 40 + number
      // 40 random bits of its name: two that share them cannot be held at once, and that is all.
      case .attempt(let session): 1 << 48 + Int64(session.low & 0xFF_FFFF_FFFF)
      }
    }
  }

  /// Takes the lock if nobody holds it; `nil` when somebody does.
  static func take(_ file: BookFile, _ subject: Subject) throws(GatebookError) -> AccountLock? {
    let lock = try BookLock.openFile(file.lockPath)
    return lock.lock(subject.byte) ? AccountLock(lock, subject.byte) : nil
  }

  /// Whether somebody holds the lock; `nil` where that cannot be seen.
  static func isHeld(_ file: BookFile, _ subject: Subject) -> Bool? {
    OpenFile.open(file.lockPath, .read)?.isLocked(subject.byte)
  }

  /// Who holds the lock; `nil` for nobody, and where that cannot be seen.
  static func holder(_ file: BookFile, _ subject: Subject) -> LockHolder? {
    isHeld(file, subject) == true ? LockHolder(of: subject.byte, file) : nil
  }
}
