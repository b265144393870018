internal import Gatebook
internal import GatebookSystem

/// A folder with the token of one running program, for this user alone.
///
/// Its name says whose it is: `gatebook-exec-`, the number of the program's process and when that
/// began. The process that refreshes the token has a lock on it.
struct TokenFolder: Sendable {
  private static let prefix = "gatebook-exec-"

  let path: String
  /// The open folder, with its lock.
  let lock: OpenFile

  /// The file with the token: nothing else is in it, not even a line end.
  var file: String { "\(path)/token" }
  private var next: String { "\(path)/token.new" }

  /// A folder whose lock is held already.
  init(at path: String, lock: OpenFile) {
    self.path = path
    self.lock = lock
  }

  /// Makes a folder for this process.
  ///
  /// - Parameter parent: Where.
  /// - Throws: `storage.full` or `configuration.invalid`.
  init(in parent: String) throws(GatebookError) {
    let id = ThisProcess.id
    let name = "\(Self.prefix)\(id)-\(ThisProcess.start(of: id) ?? 0)"
    guard let path = Files.makeTemporaryFolder(named: name, in: parent) else {
      throw Self.failure(parent, .last)
    }
    guard let lock = OpenFile.open(path, .folder), FileDescriptor.lock(lock.descriptor) else {
      let error = SystemError.last
      Files.removeFolder(path)
      throw Self.failure(parent, error)
    }
    self.init(at: path, lock: lock)
  }

  /// Puts a token into the file: who opens it gets the whole old one or the whole new one.
  ///
  /// - Throws: `storage.full` or `configuration.invalid`.
  func write(_ token: IssuedToken) throws(GatebookError) {
    Files.remove(next)
    guard let file = OpenFile.open(next, .new), file.write(Array(token.text.utf8)),
      Files.rename(next, to: self.file)
    else {
      let error = SystemError.last
      Files.remove(next)
      throw Self.failure(path, error)
    }
  }

  /// Removes it with the token.
  func remove() {
    Self.remove(path)
  }

  private static func remove(_ path: String) {
    for name in ["token", "token.new"] { Files.remove("\(path)/\(name)") }
    Files.removeFolder(path)
  }

  private static func failure(_ path: String, _ error: SystemError) -> GatebookError {
    GatebookError(
      error.isFullDisk ? .storageFull : .configurationInvalid,
      "The token cannot be written below \(path).", kept: GatebookError.sessionKept,
      remedy: "Set TMPDIR to a folder with room that you may write to, or use `--fd N` instead.",
      cause: error.text)
  }

  /// Removes the folders of programs that have ended and whose renewal was killed.
  static func removeLeftovers(in parent: String) {
    for name in Files.names(in: parent) where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      let parts = name.dropFirst(prefix.count).split(separator: "-")
      guard parts.count == 3, let process = Int32(parts[0]), let start = Int64(parts[1]),
        ThisProcess.start(of: process) != start,
        let status = FileStatus(of: path, followsLinks: false), status.isFolder, status.isOwn,
        let lock = OpenFile.open(path, .folder), lock.status?.isSameFile(as: status) == true,
        FileDescriptor.lock(lock.descriptor)
      else { continue }
      remove(path)
    }
  }
}
