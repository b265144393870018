internal import Gatebook
internal import GatebookSystem

/// A private folder for files that are needed for a moment; gone with its last reference.
final class StateFolder {
  private let path: String

  /// Makes a folder under `/tmp`.
  ///
  /// - Throws: `storage.full` or `configuration.invalid`.
  init() throws(GatebookError) {
    guard let path = Files.makeTemporaryFolder(named: "gatebook-forget") else {
      let error = SystemError.last
      throw GatebookError(
        error == .noSpace ? .storageFull : .configurationInvalid,
        "Gatebook could not create a folder in /tmp.", kept: "The fleet keeps all of its events.",
        remedy: "Free space in /tmp, then run it again.", cause: error.text)
    }
    self.path = path
  }

  deinit {
    for name in Files.names(in: path) { Files.remove("\(path)/\(name)") }
    Files.removeFolder(path)
  }

  /// Where the state of a history is computed.
  var place: String { "\(path)/state" }
}
