internal import GatebookSystem

/// Paths of files that are used again later.
enum FilePath {
  /// The path of a file from the root of the file system, where there may be none yet.
  static func whole(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = ThisProcess.folder else { return path }
    return "\(folder)/\(path)"
  }

  /// The whole path of a file: the book keeps it, and the next run may start elsewhere.
  ///
  /// - Parameters:
  ///   - path: As it was given.
  ///   - option: Its option.
  /// - Returns: The path without links.
  /// - Throws: `UsageError` when there is no such file.
  static func absolute(_ path: String, _ option: CommandOption) throws(UsageError) -> String {
    guard let whole = Files.resolved(path) else {
      throw UsageError(
        "The file of `\(option.name)` does not exist.",
        remedy:
          "Give the path of a PEM file that you can read.")
    }
    return whole
  }
}
