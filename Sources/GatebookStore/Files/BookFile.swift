internal import GatebookEvents
internal import Glibc

/// The book's place in the file system, and what can be said of it before SQLite opens it.
struct BookFile: Sendable {
  /// Where the file itself is, and what belongs to it beside it: never a symbolic link to it.
  let path: String

  init(path: String) {
    self.path = BookPath.following(path)
  }

  /// What stands at the path.
  enum Content {
    case missing
    case empty
    case database
    case foreign
  }

  var lockPath: String { path + "-lock" }

  /// Whether no committed event can stand outside the file itself.
  var hasNoWAL: Bool { size(of: path + "-wal") == 0 }

  /// Whether a book was made here once: its lock file tells.
  var wasMade: Bool { size(of: lockPath) > 0 }

  /// What stands at the path, judged by its first 16 bytes.
  func content() throws(GatebookError) -> Content {
    // A pipe without a writer would keep us waiting before we could refuse it.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return .missing }
      throw unreadable(errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw GatebookError(
        .storageUnreadable, "\(path) is a directory, but a book is a file.",
        remedy: "Give the path of the book's file.")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return .foreign }
    var header = [UInt8](repeating: 0, count: 16)
    let count = read(descriptor, &header, 16)
    guard count >= 0 else { throw unreadable(errno) }
    if count == 0 {
      // A book is never empty once it was made.
      return wasMade || !hasNoWAL ? .foreign : .empty
    }
    return header == Array("SQLite format 3\0".utf8) ? .database : .foreign
  }

  /// Makes an empty file that only its owner can read, unless there is one.
  ///
  /// - Returns: Whether there was none.
  func create() throws(GatebookError) -> Bool {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      if errno == ENOSPC || errno == EDQUOT { throw .storageFull(cause: reason(errno)) }
      if errno == ENOENT || errno == ENOTDIR {
        throw GatebookError(
          .storageUnreadable, "The folder for the book does not exist: \(folder)",
          kept: "Nothing was created.", remedy: "Create the folder, or check the path.",
          cause: reason(errno))
      }
      if errno == EROFS || errno == EACCES {
        throw GatebookError(
          .storageReadOnly, "The book cannot be created, because its folder is not writable.",
          remedy: "Allow writing to the folder, or choose another path for the book.",
          cause: reason(errno))
      }
      throw unreadable(errno)
    }
    close(descriptor)
    return true
  }

  /// Takes the empty file away again, when no book was made in it after all.
  func removeIfEmpty() {
    var status = stat()
    if stat(path, &status) == 0, status.st_size == 0 { unlink(path) }
  }

  /// Refuses network file systems: their locks and shared memory cannot carry a book.
  func checkFileSystem() throws(GatebookError) {
    guard let type = FileSystemType(of: folder), type.isNetwork else { return }
    throw GatebookError(
      .storageUnreadable, "The book is on a network file system (\(type.name)).",
      remedy:
        "Keep the book on a local disk: locks of network file systems are unreliable, so events can be "
        + "lost.")
  }

  /// Whether files can be made beside it.
  var isInWritableFolder: Bool { access(folder, W_OK) == 0 }

  private var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  private func unreadable(_ number: Int32) -> GatebookError {
    GatebookError(
      .storageUnreadable, "The book cannot be opened.",
      kept: "Nothing was changed; no account was logged out.",
      remedy: "Check the path, the file and its permissions.", cause: reason(number))
  }

  private func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
