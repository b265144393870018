internal import CSQLite
internal import GatebookEvents
internal import GatebookThreads
internal import Glibc

/// A file that is filled beside its place, as `PLACE-draft`, and put there whole or not at all: a backup, an
/// archive, a recovered book.
///
/// It always has this name, so that what a killed process has left of it is found and taken away; a lock,
/// which the kernel releases with the process, tells it from one that is being written. Unless it is
/// published it goes with its object.
final class DraftFile: Sendable {
  let place: String
  var path: String { Self.path(for: place) }

  let purpose: Purpose
  private let descriptor: Int32
  private let isPublished = Locked(false)
  // Far behind the bytes that SQLite locks in a database, at 2^30.
  private static let lockedByte: Int64 = 1 << 40
  private static let pagesAtOnce: Int32 = 256

  private static func path(for place: String) -> String { place + "-draft" }

  private init(_ place: String, _ purpose: Purpose, _ descriptor: Int32) {
    self.place = place
    self.purpose = purpose
    self.descriptor = descriptor
  }

  /// Begins an empty draft that only its owner can read.
  ///
  /// - Parameters:
  ///   - place: The path of the finished file.
  ///   - purpose: What is made.
  /// - Returns: The draft.
  /// - Throws: `storage.busy` while another process writes one there; `storage.full`,
  ///   `configuration.invalid` where it cannot be written, or another file has its name.
  static func open(for place: String, _ purpose: Purpose) throws(GatebookError) -> DraftFile {
    let path = path(for: place)
    while true {
      // Before it is opened: closing a book's file would take this process's locks on it away.
      var present = stat()
      if lstat(path, &present) == 0 {
        guard DraftMark.isDraft(present) || DraftMark.isSame(path, place) else {
          throw purpose.taken(path)
        }
      }
      let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw purpose.unwritable(errno) }
      guard BookLock.take(descriptor, lockedByte, F_WRLCK) else {
        close(descriptor)
        throw purpose.busy
      }
      var status = stat()
      var named = stat()
      let isNamed =
        fstat(descriptor, &status) == 0 && lstat(path, &named) == 0
        && named.st_ino == status.st_ino
      if isNamed, status.st_nlink == 1, DraftMark.isDraft(status) {
        let draft = DraftFile(place, purpose, descriptor)
        // A journal of a former one would be played back into this one.
        draft.removeCompany()
        guard DraftMark.set(descriptor), ftruncate(descriptor, 0) == 0 else {
          throw purpose.unwritable(errno)
        }
        return draft
      }
      // One with two names is in its place already: its process was killed before it took the first away.
      if isNamed, DraftMark.isSame(path, place) { unlink(path) }
      close(descriptor)
    }
  }

  deinit {
    if !isPublished.withLock({ $0 }) {
      unlink(path)
      removeCompany()
    }
    close(descriptor)
  }

  /// Opens it for writing.
  func connect(flags: Int32 = 0) throws(GatebookError) -> Connection {
    try Connection.open(path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | flags)
  }

  /// Copies a book as the reading transaction of a connection sees it: others write meanwhile.
  ///
  /// - Parameters:
  ///   - source: The connection, in its transaction.
  ///   - progress: Told how many pages are done, and of how many.
  /// - Throws: `storage.full` without room; `cancelled`; `storage` failures of either file.
  func copy(
    _ source: Connection, progress: @Sendable (Int64, Int64) -> Void
  ) throws(GatebookError) {
    let target = try connect()
    // What is interrupted is thrown away, and it is synced once, as a whole.
    try target.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-2048")
    guard let run = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw purpose.failure(sqlite3_extended_errcode(target.handle), target.handle)
    }
    var status = SQLITE_OK
    while status == SQLITE_OK, !Task.isCancelled {
      status = sqlite3_backup_step(run, Self.pagesAtOnce)
      let all = Int64(sqlite3_backup_pagecount(run))
      progress(all - Int64(sqlite3_backup_remaining(run)), all)
    }
    let end = sqlite3_backup_finish(run)
    guard status != SQLITE_OK else { throw purpose.cancelled }
    guard status == SQLITE_DONE, end == SQLITE_OK else {
      throw purpose.failure(status == SQLITE_DONE ? end : status, target.handle)
    }
  }

  /// Puts the draft in place, durably.
  ///
  /// - Parameters:
  ///   - replacing: Whether a file there is replaced.
  ///   - mode: Who may do what with it.
  /// - Throws: `configuration.invalid` for a place that was taken meanwhile; `storage.full`. What was not
  ///   replaced is then as before.
  func publish(replacing: Bool = false, mode: mode_t = 0o600) throws(GatebookError) {
    removeCompany()
    // Marked still, so that what is left behind is told from anybody's.
    guard DraftMark.set(descriptor, mode: mode), fsync(descriptor) == 0 else {
      throw purpose.unwritable(errno)
    }
    if replacing {
      guard rename(path, place) == 0 else { throw purpose.unwritable(errno) }
    } else if link(path, place) == 0 {
      unlink(path)
    } else {
      guard errno != EEXIST else { throw purpose.taken(place) }
      try moveToFreePlace()
    }
    isPublished.withLock { $0 = true }
    guard fchmod(descriptor, mode) == 0, syncFolder() else {
      let error = purpose.unwritable(errno)
      if !replacing { withdraw() }
      throw error
    }
  }

  /// For file systems that know no second name of a file: an empty one of ours keeps the place free.
  private func moveToFreePlace() throws(GatebookError) {
    let empty = Glibc.open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard empty >= 0 else {
      throw errno == EEXIST ? purpose.taken(place) : purpose.unwritable(errno)
    }
    close(empty)
    guard rename(path, place) == 0 else {
      let error = purpose.unwritable(errno)
      unlink(place)
      throw error
    }
  }

  /// Takes the published file away again.
  func withdraw() {
    unlink(place)
    _ = syncFolder()
  }

  private func syncFolder() -> Bool {
    let folder = Glibc.open(
      place.lastIndex(of: "/").map { String(place[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return false }
    defer { close(folder) }
    // Not every file system syncs a folder; it then keeps names by itself, or not at all.
    return fsync(folder) == 0 || errno == EINVAL
  }

  /// What a look into the draft has left beside it.
  private func removeCompany() {
    for ending in ["-journal", "-wal", "-shm"] { unlink(path + ending) }
  }
}
