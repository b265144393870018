internal import Gatebook
internal import GatebookSystem

/// A folder for the book and the key of one run.
struct ThrowAwayFolder: Sendable {
  let path: String

  init() throws(GatebookError) {
    let parent = ThisProcess.environment("TMPDIR") ?? "/tmp"
    guard let path = Files.makeTemporaryFolder(named: "gatebook-sample", in: parent) else {
      throw GatebookError(
        .configurationInvalid, "No folder can be created in \(parent).",
        remedy: "Give one with `--book`.")
    }
    self.path = path
  }

  /// Removes it with all that is in it.
  func remove() {
    for folder in ["\(path)/keys", path] {
      for name in Files.names(in: folder) { Files.remove("\(folder)/\(name)") }
      Files.removeFolder(folder)
    }
  }
}
