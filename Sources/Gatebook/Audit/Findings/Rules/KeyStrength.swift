internal import GatebookSystem

/// How well the book's key is kept now.
enum KeyStrength {
  /// In a keyring, encrypted with a passphrase, or in a place that only an app knows.
  case good
  /// In a file of its own: who has both files has everything.
  case file
  /// In a file that is copied whenever somebody copies the book's folder.
  case fileBesideBook

  init(_ reader: BookReader) {
    guard reader.keySource == "file" else {
      self = .good
      return
    }
    let key = reader.keyDescription.parameters["path"]?.text
    let folder = key.flatMap { Self.folder(of: $0) }
    self = folder != nil && folder == Self.folder(of: reader.path) ? .fileBesideBook : .file
  }

  /// The folder of a file, without links; `nil` when there is none.
  private static func folder(of path: String) -> String? {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    return Files.resolved(parent)
  }
}
