internal import Glibc

extension BookFile {
  /// Whether a path is one that SQLite or Gatebook uses for this book, also where nothing stands there
  /// yet: what somebody puts there is taken for the book's own, and written over.
  func claims(_ other: String) -> Bool {
    let (folder, name) = Self.split(other)
    var paths = [path]
    if let real = realpath(path, nil) {
      paths.append(String(cString: real))
      free(real)
    }
    return paths.contains { path in
      let (ownFolder, ownName) = Self.split(path)
      var one = stat()
      var two = stat()
      guard stat(folder, &one) == 0, stat(ownFolder, &two) == 0, one.st_ino == two.st_ino,
        one.st_dev == two.st_dev
      else { return false }
      return ["", "-wal", "-shm", "-lock", "-reserve", "-journal"].contains { ownName + $0 == name }
    }
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
  }
}
