internal import CSQLite
internal import GatebookEvents
internal import GatebookSystem

/// A file that is filled beside its place, as `PLACE-draft`, and put there whole or not at all: a
/// backup, an archive, a recovered book.
///
/// It always has this name, so that the remains of a killed process are found and removed. A lock,
/// which the kernel releases with the process, distinguishes remains from a file that is being
/// written. Unless it is published, it is removed with its object.
final class DraftFile: Sendable {
  let place: String
  var path: String { Self.path(for: place) }

  let purpose: Purpose
  private let file: OpenFile
  private let isPublished = Locked(false)
  // Far after the bytes that SQLite locks in a database, at 2^30.
  private static let lockedByte: Int64 = 1 << 40
  private static let pagesAtOnce: Int32 = 256

  private static func path(for place: String) -> String { place + "-draft" }

  private init(_ place: String, _ purpose: Purpose, _ file: OpenFile) {
    self.place = place
    self.purpose = purpose
    self.file = file
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
      if let present = FileStatus(of: path, followsLinks: false) {
        guard isDraft(present) || isSame(path, place) else {
          throw purpose.taken(path)
        }
      }
      guard let file = OpenFile.open(path, .updateInPlace) else {
        throw purpose.unwritable(.last)
      }
      guard file.lock(lockedByte) else { throw purpose.busy }
      let status = file.status
      let isNamed =
        status != nil && FileStatus(of: path, followsLinks: false)?.inode == status?.inode
      if isNamed, let status, status.links == 1, isDraft(status) {
        let draft = DraftFile(place, purpose, file)
        // A journal of a former one would be played back into this one.
        draft.removeCompany()
        guard file.setMode(0o600, isSticky: true), file.truncate(to: 0) else {
          throw purpose.unwritable(.last)
        }
        return draft
      }
      // One with two names is in its place already: its process was killed before it took the first
      // away.
      if isNamed, isSame(path, place) { Files.remove(path) }
    }
  }

  deinit {
    if !isPublished.withLock({ $0 }) {
      Files.remove(path)
      removeCompany()
    }
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
  /// - Throws: `configuration.invalid` for a place that was taken meanwhile; `storage.full`. What
  ///   was not replaced is then as before.
  func publish(replacing: Bool = false, mode: UInt32 = 0o600) throws(GatebookError) {
    removeCompany()
    // Marked still, so that remains can be distinguished from foreign files.
    guard file.setMode(mode, isSticky: true), file.sync() else {
      throw purpose.unwritable(.last)
    }
    if replacing {
      guard Files.rename(path, to: place) else { throw purpose.unwritable(.last) }
    } else if Files.link(path, to: place) {
      Files.remove(path)
    } else {
      guard SystemError.last != .exists else { throw purpose.taken(place) }
      try moveToFreePlace()
    }
    isPublished.withLock { $0 = true }
    guard file.setMode(mode), syncFolder() else {
      let error = purpose.unwritable(.last)
      if !replacing { withdraw() }
      throw error
    }
  }

  /// For file systems that know no second name of a file: an empty one of ours keeps the place
  /// free.
  private func moveToFreePlace() throws(GatebookError) {
    guard OpenFile.open(place, .new) != nil else {
      throw SystemError.last == .exists ? purpose.taken(place) : purpose.unwritable(.last)
    }
    guard Files.rename(path, to: place) else {
      let error = purpose.unwritable(.last)
      Files.remove(place)
      throw error
    }
  }

  /// Takes the published file away again.
  func withdraw() {
    Files.remove(place)
    _ = syncFolder()
  }

  private func syncFolder() -> Bool {
    guard let folder = OpenFile.open(BookPath.split(place).folder, .read) else { return false }
    // Not every file system syncs a folder; it then makes names durable automatically, or not at
    // all.
    return folder.sync() || SystemError.last == .invalid
  }

  /// Whether a file may be filled, or taken away: a draft, or an empty file.
  ///
  /// The sticky bit tells an unfinished file of ours from anybody's: it means nothing on a file
  /// (inode(7)), and no book has it. A draft's name follows from its place, so that the remains of
  /// a killed process are found. A foreign file may have that name, and is never touched.
  private static func isDraft(_ status: FileStatus) -> Bool {
    status.isRegular && status.isOwn && (status.isSticky || status.size == 0)
  }

  /// Whether both names are of one file: a draft that was put in place, and has its first name
  /// still.
  static func isSame(_ path: String, _ other: String) -> Bool {
    Files.isSame(path, other, followsLinks: false)
  }

  /// What a look into the draft has left beside it.
  private func removeCompany() {
    for ending in ["-journal", "-wal", "-shm"] { Files.remove(path + ending) }
  }
}
