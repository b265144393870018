internal import GatebookSystem

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

  /// What SQLite would take for a URI, or for no file at all, as the name of a file.
  /// The folder of a path, and the name in it.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
  }

  private static func plain(_ path: String) -> String {
    path.hasPrefix(":") || path.hasPrefix("file:") ? "./\(path)" : path
  }
}
