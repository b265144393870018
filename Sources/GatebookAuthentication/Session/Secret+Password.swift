internal import GatebookCrypto
internal import GatebookEvents

extension Secret {
  /// The secret as text, for a request or the vault's record; nobody wipes it.
  var text: String {
    withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Refuses what would only be a useless attempt that a server counts.
  ///
  /// - Throws: `configuration.invalid` for an empty password or one that is not UTF-8.
  func checkAsPassword() throws(GatebookError) {
    guard !isEmpty else {
      throw .setting("password", "it is empty.", remedy: "Give the password.")
    }
    guard withBytes({ String(validating: $0, as: UTF8.self) }) != nil else {
      throw .setting("password", "it is not UTF-8.", remedy: "Give the password in UTF-8.")
    }
  }
}
