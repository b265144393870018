internal import Gatebook

/// The options that say how a client shows a server who it is.
enum ClientArguments {
  /// Where the client's secret stands.
  static let secretFile = CommandOption.value(
    "--client-secret-file", "F",
    "a file of mode 0600 that holds only the client's secret; without it Gatebook asks"
  )

  /// Reads the secret's file; `nil` when none is named.
  static func secret(_ arguments: Arguments) throws(GatebookError) -> Secret? {
    guard let path = arguments[secretFile] else { return nil }
    return try SecretFile.read(path, secretFile)
  }
}

extension ClientArguments {
  /// The secret's file, as a login named it.
  static func secretFile(_ settings: SavedSettings) -> String? {
    settings.options.notes[LoginNotes.name(of: secretFile)]
  }
}
