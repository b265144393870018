internal import CSecret
internal import GatebookEvents

/// libsecret, opened: the table of its functions and of those of GLib it is used with.
///
/// Opening it again is cheap: the dynamic linker counts.
// Unchecked: the table is filled once and only read from then on.
final class SecretLibrary: @unchecked Sendable {
  let functions: secret_functions

  private init(_ functions: secret_functions) {
    self.functions = functions
  }

  /// Opens libsecret by its file name.
  ///
  /// - Throws: `key.missing` when it is not installed.
  static func open(_ name: String) throws(GatebookError) -> SecretLibrary {
    var functions = secret_functions()
    if let reason = secret_functions_open(&functions, name) {
      throw GatebookError(
        .keyMissing, "The desktop keyring cannot be used, because libsecret is not installed.",
        remedy: "Install it (apt install libsecret-1-0), or use another key source.",
        cause: String(cString: reason))
    }
    return SecretLibrary(functions)
  }
}
