internal import GatebookSystem

extension BookFile {
  /// Whether SQLite or Gatebook uses a path for this book, even if no file exists there yet: a
  /// foreign file there would count as the book's own and be overwritten.
  func claims(_ other: String) -> Bool {
    let (folder, name) = Self.split(other)
    return [path, Files.resolved(path) ?? path].contains { path in
      let (ownFolder, ownName) = Self.split(path)
      guard Files.isSame(folder, ownFolder) else { return false }
      return ["", "-wal", "-shm", "-lock", "-reserve", "-journal"].contains { ownName + $0 == name }
    }
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
  }
}
