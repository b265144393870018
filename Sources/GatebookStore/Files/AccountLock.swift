internal import GatebookEvents
internal import Glibc

/// The lock of one account's renewal over all processes: byte 2^32 + n of the lock file, through a
/// descriptor of its own.
///
/// The kernel releases it with the process, so an intent without its lock is orphaned.
package final class AccountLock: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Takes the lock if nobody holds it; `nil` when somebody does.
  static func take(_ file: BookFile, account number: Int64) throws(GatebookError) -> AccountLock? {
    let descriptor = open(file.lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw GatebookError(
        .storageReadOnly, "The book's lock file cannot be opened for writing.",
        remedy: "Allow writing to the book's folder, then retry.",
        cause: String(cString: strerror(errno)))
    }
    guard BookLock.take(descriptor, 1 << 32 + number, F_WRLCK) else {
      close(descriptor)
      return nil
    }
    return AccountLock(descriptor)
  }
}
