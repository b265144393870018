package import GatebookCrypto
package import GatebookEvents
internal import GatebookSystem

/// The folder where an app keeps its book: `$XDG_DATA_HOME/mail`, or `~/.local/share/mail`.
///
/// Source: XDG Base Directory Specification 0.8.
package struct AppFolder: Sendable {
  /// Its path.
  package let path: String

  /// The book's file.
  package var book: String { "\(path)/sessions.gatebook" }
  /// The file with the book's key.
  package var key: String { "\(path)/sessions.key" }

  /// Finds the folder of an app; nothing is made yet.
  ///
  /// - Parameters:
  ///   - app: The app's name, which is the folder's too.
  ///   - variable: Reads a variable of the environment.
  /// - Throws: `configuration.invalid` for a name that is no folder's, or where no variable says
  ///   where folders are.
  package init(
    of app: String, _ variable: (String) -> String? = ThisProcess.environment
  ) throws(GatebookError) {
    let isPrintable = app.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard (1...64).contains(app.utf8.count), isPrintable, !app.contains("/"), !app.hasPrefix(".")
    else {
      throw GatebookError(
        .configurationInvalid,
        "The app's name must have 1 to 64 bytes, no control character and no `/`, and must not "
          + "begin with a dot: it is the name of a folder.",
        kept: "Nothing was created.", remedy: "Choose another name, such as `mail`.")
    }
    // "If an implementation encounters a relative path in any of these variables it should consider
    // the path invalid and ignore it."
    func folder(_ name: String) -> String? {
      variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let home = folder("HOME").map { "\($0)/.local/share" }
    guard let data = folder("XDG_DATA_HOME") ?? home else {
      throw GatebookError(
        .configurationInvalid,
        "The app's folder cannot be found: neither XDG_DATA_HOME nor HOME is set to an absolute "
          + "path.",
        kept: "Nothing was created.",
        remedy: "Set one of them, or give the book's path to `SessionBook.open`.")
    }
    path = "\(data)/\(app)"
  }

  /// Makes the folder, and those above it, for their owner alone (0700); one that is there stays as
  /// it is.
  ///
  /// - Throws: `storage.full`, or `storage.readOnly` if it cannot be made, or is no folder.
  package func make() throws(GatebookError) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      guard !Files.makeFolder(made), SystemError.last != .exists else { continue }
      let error = SystemError.last
      // Some file systems say of a folder that is there that they are read-only.
      guard !Files.isFolder(made) else { continue }
      throw Self.failure("The app's folder cannot be created: \(made)", error)
    }
    guard Files.isFolder(path) else {
      throw Self.failure("A file is in the place of the app's folder: \(path)", .notFolder)
    }
  }

  /// The identity of this installation: made at the first run, and read back from then on.
  ///
  /// - Parameter random: Where the bytes of a new one come from.
  /// - Returns: The same identity for all runs and processes.
  /// - Throws: `storage.full`, or `storage.readOnly` if it cannot be kept; `storage.damaged` if the
  ///   file holds something else.
  package func installation(random: any RandomSource) throws(GatebookError) -> InstallationID {
    try InstallationID.kept(at: "\(path)/installation", random: random)
  }

  /// Why a file of the app's cannot be made.
  static func failure(_ message: String, _ error: SystemError) -> GatebookError {
    if error.isFullDisk { return .storageFull(cause: error.text) }
    return GatebookError(
      .storageReadOnly, message, kept: "No book was created.",
      remedy: "Allow writing to that place, or give the book's path to `SessionBook.open`.",
      cause: error.text)
  }
}
