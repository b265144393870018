internal import GatebookEvents
internal import Glibc

/// The locks of a book: byte ranges of the file `BOOK-lock`, released by the kernel with the process.
///
/// Byte 0 is the turnstile, byte 1 the writer, byte 2^32 + n the renewal of account n. A writer
/// takes 0, takes 1 and releases 0, so the kernel's queue at byte 0 makes it fair. The order is
/// always account before writer. Open-file-description locks belong to this object, not to the
/// process: the threads of one process need a queue of their own in front.
final class BookLock {
  private let descriptor: Int32
  private let waiter: LockWaiter

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    waiter = LockWaiter(descriptor)
  }

  static func open(_ path: String) throws(GatebookError) -> BookLock {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let cause = String(cString: strerror(errno))
      if errno == ENOSPC || errno == EDQUOT { throw .storageFull(cause: cause) }
      throw GatebookError(
        .storageReadOnly, "The book's lock file cannot be opened for writing.",
        remedy: "Allow writing to the book's folder, then try again.", cause: cause)
    }
    return BookLock(descriptor)
  }

  deinit {
    waiter.stop()
  }

  /// Takes the writer lock, waiting in the order of arrival.
  ///
  /// - Parameters:
  ///   - wait: For how long.
  ///   - mayBeGivenUp: Whether a cancelled task waits no longer.
  /// - Throws: `storage.busy` when it was not to be had in time, `cancelled`, `limit.exceeded` when the
  ///   machine has no thread left to wait on.
  func lockWriter(wait: Duration, mayBeGivenUp: Bool = false) throws(GatebookError) {
    // With nobody at the turnstile this needs no waiting thread; it never overtakes one who waits.
    if tryLockWriter() { return }
    let isWanted = { !mayBeGivenUp || !Task.isCancelled }
    guard try waiter.lockWriter(wait: wait, while: isWanted) else {
      throw isWanted() ? .storageBusy() : .waitGivenUp
    }
  }

  /// Takes the writer lock only if nobody holds it or waits for it.
  func tryLockWriter() -> Bool {
    // The waiting thread shares this descriptor, hence its locks: what it is about to release must
    // not be taken for ours.
    guard waiter.isIdle, Self.take(descriptor, 0, F_WRLCK) else { return false }
    defer { Self.release(descriptor, 0) }
    return Self.take(descriptor, 1, F_WRLCK)
  }

  func unlockWriter() {
    Self.release(descriptor, 1)
  }

  /// Whether a book was made beside this file: then a file without one has lost it.
  ///
  /// Without this mark a book that was cut to nothing could not be told from one whose making was
  /// interrupted. To be read and changed under the writer lock.
  var isMarked: Bool {
    get {
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_size > 0
    }
    set {
      guard newValue != isMarked else { return }
      // A mark that cannot be written costs only this distinction.
      if newValue { pwrite(descriptor, "book\n", 5, 0) } else { ftruncate(descriptor, 0) }
    }
  }

  // Glibc's module lacks F_OFD_GETLK, F_OFD_SETLK and F_OFD_SETLKW (fcntl.h).
  private static let ofdGetLock: Int32 = 36
  private static let ofdSetLock: Int32 = 37
  private static let ofdSetLockWait: Int32 = 38

  private static func range(_ byte: Int64, _ type: Int32) -> flock {
    flock(
      l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: Int(byte), l_len: 1, l_pid: 0)
  }

  static func take(_ descriptor: Int32, _ byte: Int64, _ type: Int32) -> Bool {
    var range = range(byte, type)
    return fcntl(descriptor, ofdSetLock, &range) == 0
  }

  /// Whether somebody else holds a byte's lock; nothing is taken.
  static func isHeld(_ descriptor: Int32, _ byte: Int64) -> Bool {
    var range = range(byte, F_WRLCK)
    return fcntl(descriptor, ofdGetLock, &range) == 0 && range.l_type != Int16(F_UNLCK)
  }

  static func takeWaiting(_ descriptor: Int32, _ byte: Int64) -> Bool {
    var range = range(byte, F_WRLCK)
    while fcntl(descriptor, ofdSetLockWait, &range) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  static func release(_ descriptor: Int32, _ byte: Int64) {
    var range = range(byte, F_UNLCK)
    _ = fcntl(descriptor, ofdSetLock, &range)
  }
}
