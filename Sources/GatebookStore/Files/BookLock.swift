internal import GatebookEvents
internal import GatebookSystem

/// The locks of a book: byte ranges of the file `BOOK-lock`, released by the kernel with the
/// process.
///
/// Byte 0 is the turnstile, byte 1 the writer, byte 2^32 + n the renewal of account n. A writer
/// takes 0, takes 1 and releases 0, so the kernel's queue at byte 0 makes it fair. During its turn
/// it takes 1 alone. The order is always account before writer. Open-file-description locks belong
/// to this object, not to the process: the threads of one process need a queue of their own in
/// front.
final class BookLock {
  private let file: OpenFile
  private let waiter: LockWaiter
  /// When this object may take byte 1 alone.
  var turn = WriterTurn()

  private init(_ file: OpenFile) {
    self.file = file
    waiter = LockWaiter(file)
  }

  static func open(_ path: String) throws(GatebookError) -> BookLock {
    BookLock(try openFile(path))
  }

  /// Opens the lock file for one who is going to hold a lock.
  static func openFile(_ path: String) throws(GatebookError) -> OpenFile {
    guard let file = OpenFile.open(path, .update) else {
      let error = SystemError.last
      if error.isFullDisk { throw .storageFull(cause: error.text) }
      throw GatebookError(
        .storageReadOnly, "The book's lock file cannot be opened for writing.",
        remedy: "Allow writing to the book's folder, then try again.", cause: error.text)
    }
    return file
  }

  deinit {
    waiter.stop()
  }

  /// Takes the writer lock, waiting in the order of arrival; the turn of another one may continue
  /// first.
  ///
  /// - Parameters:
  ///   - wait: For how long.
  ///   - mayBeGivenUp: Whether a cancelled task waits no longer.
  ///   - mayContinue: Whether its own turn may: only for one commit.
  /// - Throws: `storage.busy` when it was not to be had in time, `cancelled`, `limit.exceeded` when
  ///   the machine has no thread left to wait on.
  func lockWriter(
    wait: Duration, mayBeGivenUp: Bool = false, mayContinue: Bool = false
  ) throws(GatebookError) {
    // With nobody at the turnstile this needs no waiting thread.
    if tryLockWriter(mayContinue: mayContinue) { return }
    let isWanted = { !mayBeGivenUp || !Task.isCancelled }
    guard try waiter.lockWriter(wait: wait, after: turn.released, while: isWanted) else {
      throw isWanted() ? .storageBusy() : .waitGivenUp
    }
    turn.begin(hasWaited: true, at: SystemTime.monotonic)
  }

  /// Takes the writer lock if nobody holds it; who waits comes first, unless this turn is open.
  ///
  /// - Parameter mayContinue: Whether the turn may continue: only for one commit.
  /// - Returns: Whether it has the lock now.
  func tryLockWriter(mayContinue: Bool = false) -> Bool {
    // The waiting thread shares this descriptor, hence its locks: what it is about to release must
    // not be taken for ours.
    guard waiter.isIdle else { return false }
    let now = SystemTime.monotonic
    if mayContinue, turn.isOpen(at: now), file.lock(1) {
      turn.takeAgain()
      return true
    }
    guard file.lock(0) else { return false }
    defer { file.unlock(0) }
    guard file.lock(1) else { return false }
    turn.begin(hasWaited: false, at: now)
    return true
  }

  func unlockWriter() {
    file.unlock(1)
    turn.release(at: SystemTime.monotonic)
  }

  /// Whether a book was made beside this file: then a file without one has lost it.
  ///
  /// Without this mark a book that was cut to nothing could not be told from one whose making was
  /// interrupted. To be read and changed under the writer lock.
  var isMarked: Bool {
    get { file.status?.size ?? 0 > 0 }
    set {
      guard newValue != isMarked else { return }
      // A mark that cannot be written costs only this distinction.
      if newValue { file.write(Array("book\n".utf8), at: 0) } else { file.truncate(to: 0) }
    }
  }
}

/// Refuses a book that came into this process by `fork`: SQLite, locks and threads do not survive
/// it.
struct ForkGuard: Sendable {
  private let process = ThisProcess.id

  func check() throws(GatebookError) {
    guard ThisProcess.id == process else {
      throw GatebookError(
        .storageForked, "This book was opened before the process forked.",
        remedy: "Open the book again in the child process.")
    }
  }
}
