internal import Glibc

/// Files and folders by their paths.
///
/// What fails says so, and leaves the reason in ``SystemError/last``.
package enum Files {
  /// Whether there is such a file; a link without a target is none.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether the process may read it.
  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Whether the process may write there.
  package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// Whether the process may run it.
  package static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

  /// Whether there is a folder.
  package static func isFolder(_ path: String) -> Bool { FileStatus(of: path)?.isFolder == true }

  /// Whether both paths lead to the same file.
  package static func isSame(
    _ path: String, _ other: String, followsLinks: Bool = true
  ) -> Bool {
    guard let one = FileStatus(of: path, followsLinks: followsLinks),
      let two = FileStatus(of: other, followsLinks: followsLinks)
    else { return false }
    return one.isSameFile(as: two)
  }

  /// Removes a name of a file.
  @discardableResult
  package static func remove(_ path: String) -> Bool { unlink(path) == 0 }

  /// Removes an empty folder.
  @discardableResult
  package static func removeFolder(_ path: String) -> Bool { rmdir(path) == 0 }

  /// Renames a file; a file that has the new name already is replaced.
  package static func rename(_ path: String, to other: String) -> Bool {
    Glibc.rename(path, other) == 0
  }

  /// Gives a file a second name; fails where that name is taken.
  package static func link(_ path: String, to other: String) -> Bool {
    Glibc.link(path, other) == 0
  }

  /// Makes a symbolic link; fails where that name is taken.
  package static func symbolicLink(_ path: String, to target: String) -> Bool {
    symlink(target, path) == 0
  }

  /// Makes a folder for this user alone.
  @discardableResult
  package static func makeFolder(_ path: String) -> Bool { mkdir(path, 0o700) == 0 }

  /// Makes a folder for this user alone, and those above it; one that is there stays as it is.
  package static func makeFolders(_ path: String) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += part
      makeFolder(made)
      made += "/"
    }
  }

  /// Makes a folder for this user alone, with a name that begins like this, in /tmp unless said.
  package static func makeTemporaryFolder(
    named name: String, in parent: String = "/tmp"
  ) -> String? {
    var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The whole path without links; `nil` where there is no such file.
  package static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// What a symbolic link points to; `nil` when the path is none.
  package static func target(ofLink path: String) -> String? {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = readlink(path, &target, target.count)
    return length > 0 ? String(decoding: target[..<length], as: UTF8.self) : nil
  }

  /// The names in a folder but `.` and `..`; none where it cannot be read.
  package static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { $0 != "." && $0 != ".." }
  }

  /// All bytes of a file; `nil` when it cannot be opened.
  package static func content(of path: String) -> [UInt8]? {
    OpenFile.open(path, .read)?.readToEnd()
  }

  /// All text of a file that the system writes; empty when it cannot be opened.
  package static func text(of path: String) -> String {
    String(decoding: content(of: path) ?? [], as: UTF8.self)
  }

  /// How many bytes of a path's file system are free for this user; `nil` when that is unknown.
  package static func freeSpace(at path: String) -> UInt64? {
    var status = statvfs()
    // A file system without blocks, such as `/proc`, says nothing of room.
    guard statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize)
  }
}
