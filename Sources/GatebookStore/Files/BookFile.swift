internal import GatebookEvents
internal import GatebookMigrations
internal import GatebookSystem

/// The book's place in the file system, and what can be said of it before SQLite opens it.
struct BookFile: Sendable {
  /// Where the file itself is, and what belongs to it beside it: never a symbolic link to it.
  let path: String

  init(path: String) {
    self.path = BookPath.following(path)
  }

  /// What is at the path.
  enum Content {
    case missing
    case empty
    case database
    case foreign
  }

  var lockPath: String { path + "-lock" }

  /// Whether all committed events are in the file itself.
  var hasNoWAL: Bool { size(of: path + "-wal") == 0 }

  /// Whether a book was made here once: its lock file tells.
  var wasMade: Bool { size(of: lockPath) > 0 }

  /// What is at the path, judged by its first 16 bytes.
  func content() throws(GatebookError) -> Content {
    // A pipe without a writer would keep us waiting before we could refuse it.
    guard let file = OpenFile.open(path, .readAtOnce) else {
      if SystemError.last == .missing { return .missing }
      throw unreadable(.last)
    }
    guard let status = file.status else { throw unreadable(.last) }
    guard !status.isFolder else {
      throw GatebookError(
        .storageUnreadable, "\(path) is a directory, but a book is a file.",
        remedy: "Give the path of the book's file.")
    }
    guard status.isRegular else { return .foreign }
    guard let header = file.read(atMost: 16) else { throw unreadable(.last) }
    if header.isEmpty {
      // A book is never empty once it was made.
      return wasMade || !hasNoWAL ? .foreign : .empty
    }
    return header == Array("SQLite format 3\0".utf8) ? .database : .foreign
  }

  /// Makes an empty file that only its owner can read, unless there is one.
  ///
  /// - Returns: Whether there was none.
  func create() throws(GatebookError) -> Bool {
    guard OpenFile.open(path, .new) == nil else { return true }
    let failure = SystemError.last
    switch failure {
    case .exists: return false
    case .noSpace, .overQuota: throw .storageFull(cause: failure.text)
    case .missing, .notFolder:
      throw GatebookError(
        .storageUnreadable, "The folder for the book does not exist: \(folder)",
        kept: "Nothing was created.", remedy: "Create the folder, or check the path.",
        cause: failure.text)
    case .readOnly, .accessDenied:
      throw GatebookError(
        .storageReadOnly, "The book cannot be created, because its folder is not writable.",
        remedy: "Allow writing to the folder, or choose another path for the book.",
        cause: failure.text)
    default: throw unreadable(failure)
    }
  }

  /// Takes the empty file away again, when no book was made in it after all.
  func removeIfEmpty() {
    if FileStatus(of: path)?.size == 0 { Files.remove(path) }
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
  var isInWritableFolder: Bool { Files.isWritable(folder) }

  /// Whether SQLite or Gatebook uses a path for this book, even if no file exists there yet: a
  /// foreign file there would count as the book's own and be overwritten.
  func claims(_ other: String) -> Bool {
    let (folder, name) = BookPath.split(other)
    return [path, Files.resolved(path) ?? path].contains { path in
      let (ownFolder, ownName) = BookPath.split(path)
      guard Files.isSame(folder, ownFolder) else { return false }
      return ["", "-wal", "-shm", "-lock", "-reserve", "-journal"].contains { ownName + $0 == name }
    }
  }

  private var folder: String { BookPath.split(path).folder }

  private func size(of path: String) -> Int {
    FileStatus(of: path)?.size ?? 0
  }

  private func unreadable(_ error: SystemError) -> GatebookError {
    GatebookError(
      .storageUnreadable, "The book cannot be opened.",
      kept: "Nothing was changed; no account was logged out.",
      remedy: "Check the path, the file and its permissions.", cause: error.text)
  }
}

/// What the name of a book means.
package enum BookPath {
  /// Where a book's file is: a symbolic link is followed, also one to a file that there is not yet.
  ///
  /// Two names of one book would else have two locks.
  ///
  /// - Parameter path: As the book was named.
  /// - Returns: A path whose last part is no link; as it was named where that is none.
  package static func following(_ path: String) -> String {
    var path = plain(path)
    // As many as the kernel follows (path_resolution(7)).
    for _ in 0..<40 {
      guard let named = Files.target(ofLink: path) else { return path }
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
      path = plain(named.hasPrefix("/") ? named : folder + named)
    }
    return path
  }

  /// The folder of a path, and the name in it.
  package static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
  }

  /// What SQLite would take for a URI, or for no file at all, as the name of a file.
  private static func plain(_ path: String) -> String {
    path.hasPrefix(":") || path.hasPrefix("file:") ? "./\(path)" : path
  }
}

/// Tells whether this Gatebook may open a file, from the two numbers in its header.
///
/// An older book can be read as it is; a writer first brings its schema up to date.
enum BookVersion {
  static func check(
    application: Int64, version: Int64, isEmpty: Bool
  ) throws(GatebookError) {
    if isEmpty, application == 0, version == 0 { return }
    guard application == BookOpening.applicationID else {
      throw .storageDamaged("The file is a SQLite database, but not a book of Gatebook.")
    }
    guard version <= migrations.count else {
      throw GatebookError(
        .storageNewer, "A newer version of Gatebook wrote this book (schema \(version)).",
        kept: "The book was not changed.",
        remedy: "Use that version, or a newer one. This version knows schema \(migrations.count).")
    }
    guard version > 0, !isEmpty else {
      throw .storageDamaged("The book's schema is incomplete.")
    }
  }
}
