internal import Glibc

/// Paths of files that are used again later.
enum FilePath {
  /// The path of a file from the root of the file system, where there may be none yet.
  static func whole(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }

  /// The whole path of a file: the book keeps it, and the next run may start elsewhere.
  ///
  /// - Parameters:
  ///   - path: As it was given.
  ///   - option: The option it stands at.
  /// - Returns: The path without links.
  /// - Throws: `UsageError` when there is no such file.
  static func absolute(_ path: String, _ option: CommandOption) throws(UsageError) -> String {
    guard let real = realpath(path, nil) else {
      throw UsageError(
        "The file of `\(option.name)` does not exist.",
        remedy:
          "Give the path of a PEM file that you can read.")
    }
    defer { free(real) }
    return String(cString: real)
  }
}
