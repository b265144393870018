internal import Gatebook
internal import Glibc

/// A folder of the demonstration's own, private to its owner.
struct TemporaryFolder {
  let path: String

  /// A folder that is there already.
  init(at path: String) {
    self.path = path
  }

  /// Makes a folder under `/tmp`.
  ///
  /// - Parameter name: How its name begins.
  /// - Throws: `storage.full` or `configuration.invalid`.
  init(named name: String) throws(GatebookError) {
    var template = Array("/tmp/\(name)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw GatebookError(
        errno == ENOSPC ? .storageFull : .configurationInvalid,
        "The demo could not create a folder in /tmp.",
        remedy: "Free space in /tmp, then run it again.", cause: String(cString: strerror(errno)))
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes it with all that is in it.
  func remove() {
    Self.remove(path)
  }

  /// What cannot be removed does not keep the rest from being removed.
  private static func remove(_ path: String) {
    var status = stat()
    // A link is removed itself, never what it leads to.
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    for name in names(in: path) { remove("\(path)/\(name)") }
    rmdir(path)
  }

  /// The names of all files in a folder.
  static func names(in path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
