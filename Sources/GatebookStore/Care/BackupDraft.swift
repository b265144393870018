internal import CSQLite
internal import GatebookEvents
internal import Glibc

/// The file that a backup is written to, `PLACE-draft`, before it stands at its place.
///
/// It always has this name, so that what a killed process has left of it is found and taken away; a lock,
/// which the kernel releases with the process, tells it from one that is being written.
final class BackupDraft {
  let place: String
  var path: String { place + "-draft" }
  private let descriptor: Int32
  private var isPublished = false
  // Far behind the bytes that SQLite locks in a database, at 2^30.
  private static let lockedByte: Int64 = 1 << 40
  private static let pagesAtOnce: Int32 = 256

  private init(_ place: String, _ descriptor: Int32) {
    self.place = place
    self.descriptor = descriptor
  }

  /// Begins an empty draft that only its owner can read.
  ///
  /// - Throws: `storage.busy` while another process writes one there; `storage.full`,
  ///   `configuration.invalid` where it cannot be written, or another file has its name.
  static func open(for place: String) throws(GatebookError) -> BackupDraft {
    let path = place + "-draft"
    while true {
      // Before it is opened: closing a book's file would take this process's locks on it away.
      var present = stat()
      if lstat(path, &present) == 0 {
        guard DraftMark.isDraft(present) || DraftMark.isSame(path, place) else {
          throw BackupPlace.taken(path)
        }
      }
      let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw unwritable(errno) }
      guard BookLock.take(descriptor, lockedByte, F_WRLCK) else {
        close(descriptor)
        throw GatebookError(
          .storageBusy, "Another backup is being written there.", remedy: "Wait until it is done.")
      }
      var status = stat()
      var named = stat()
      let isNamed =
        fstat(descriptor, &status) == 0 && lstat(path, &named) == 0
        && named.st_ino == status.st_ino
      if isNamed, status.st_nlink == 1, DraftMark.isDraft(status) {
        let draft = BackupDraft(place, descriptor)
        guard DraftMark.set(descriptor), ftruncate(descriptor, 0) == 0 else {
          throw unwritable(errno)
        }
        return draft
      }
      // One with two names is a backup already: its process was killed before it took the first away.
      if isNamed, DraftMark.isSame(path, place) { unlink(path) }
      close(descriptor)
    }
  }

  deinit {
    if !isPublished { unlink(path) }
    removeCompany()
    close(descriptor)
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
    let target = try Connection.open(
      path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX)
    // What is interrupted is thrown away, and it is synced once, as a whole.
    try target.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-2048")
    guard let run = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw Self.failure(sqlite3_extended_errcode(target.handle), target.handle)
    }
    var status = SQLITE_OK
    while status == SQLITE_OK, !Task.isCancelled {
      status = sqlite3_backup_step(run, Self.pagesAtOnce)
      let all = Int64(sqlite3_backup_pagecount(run))
      progress(all - Int64(sqlite3_backup_remaining(run)), all)
    }
    let end = sqlite3_backup_finish(run)
    guard status != SQLITE_OK else { throw Self.cancelled }
    guard status == SQLITE_DONE, end == SQLITE_OK else {
      throw Self.failure(status == SQLITE_DONE ? end : status, target.handle)
    }
  }

  /// Puts the draft in place, durably.
  ///
  /// - Parameter replacing: Whether a file there is replaced.
  /// - Throws: `configuration.invalid` for a place that was taken meanwhile; `storage.full`.
  func publish(replacing: Bool) throws(GatebookError) {
    removeCompany()
    guard fsync(descriptor) == 0 else { throw Self.unwritable(errno) }
    if replacing {
      guard rename(path, place) == 0 else { throw Self.unwritable(errno) }
    } else if link(path, place) == 0 {
      unlink(path)
    } else {
      guard errno != EEXIST, access(place, F_OK) != 0 else { throw BackupPlace.taken(place) }
      // Some file systems know no second name of a file.
      guard rename(path, place) == 0 else { throw Self.unwritable(errno) }
    }
    isPublished = true
    guard fchmod(descriptor, 0o600) == 0 else { throw Self.unwritable(errno) }
    let folder = Glibc.open(
      place.lastIndex(of: "/").map { String(place[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { throw Self.unwritable(errno) }
    defer { close(folder) }
    // Not every file system syncs a folder; it then keeps names by itself, or not at all.
    guard fsync(folder) == 0 || errno == EINVAL else { throw Self.unwritable(errno) }
  }

  /// What a look into the draft has left beside it.
  private func removeCompany() {
    unlink(path + "-wal")
    unlink(path + "-shm")
  }

  static var cancelled: GatebookError {
    GatebookError(
      .cancelled, "The backup was cancelled.", kept: "Nothing was left at its place.",
      remedy: "Nothing needs to be done.")
  }

  private static func failure(_ status: Int32, _ handle: OpaquePointer) -> GatebookError {
    let error = GatebookError.sqlite(status, handle)
    return error.code == .storageFull ? full(error.cause) : error
  }

  private static func full(_ cause: String?) -> GatebookError {
    GatebookError(
      .storageFull, "There is no room for the backup.", kept: "Nothing was left at its place.",
      remedy: "Free space there, or choose another place.", cause: cause)
  }

  private static func unwritable(_ number: Int32) -> GatebookError {
    let cause = String(cString: strerror(number))
    guard number != ENOSPC, number != EDQUOT else { return full(cause) }
    return GatebookError(
      .configurationInvalid, "The backup cannot be written there.",
      kept: "Nothing was left at its place.", remedy: "Choose another place, or allow writing.",
      cause: cause)
  }
}
