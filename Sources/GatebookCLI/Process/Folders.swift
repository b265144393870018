internal import GatebookSystem

/// Folders of Gatebook's own, private to their owner.
enum Folders {
  /// Makes the folder that a file stands in, and those above it; one that is there stays as it is.
  ///
  /// What cannot be made is told by whoever opens the file.
  static func make(above path: String) {
    var made = ""
    for part in path.split(separator: "/").dropLast() {
      made += "/\(part)"
      Files.makeFolder(made)
    }
  }
}
