internal import Gatebook
internal import GatebookSystem

/// A folder for one run of a command, private to its owner.
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
    guard let path = Files.makeTemporaryFolder(named: name) else {
      let error = SystemError.last
      throw GatebookError(
        error == .noSpace ? .storageFull : .configurationInvalid,
        "Gatebook could not create a folder in /tmp.",
        remedy: "Free space in /tmp, then run it again.", cause: error.text)
    }
    self.path = path
  }

  /// Removes it with all that is in it.
  func remove() {
    Self.remove(path)
  }

  /// What cannot be removed does not keep the rest from being removed.
  private static func remove(_ path: String) {
    // A link is removed itself, never what it leads to.
    guard FileStatus(of: path, followsLinks: false)?.isFolder == true else {
      Files.remove(path)
      return
    }
    for name in Files.names(in: path) { remove("\(path)/\(name)") }
    Files.removeFolder(path)
  }
}
