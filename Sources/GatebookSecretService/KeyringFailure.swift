internal import CSecret
internal import GatebookEvents

/// What GLib said of a call that failed, and what it means for a key.
struct KeyringFailure: Error {
  /// What was tried.
  enum Stage {
    /// To reach the session's message bus.
    case bus
    /// To reach the keyring on that bus.
    case service
    /// To use the keyring.
    case work
  }

  let stage: Stage
  private let domain: String
  private let code: Int32
  private let text: String

  /// Takes the error over and frees it.
  init(_ stage: Stage, _ error: UnsafeMutablePointer<GError>?, _ library: SecretLibrary) {
    self.stage = stage
    domain =
      error.flatMap { library.functions.g_quark_to_string($0.pointee.domain) }
      .map { String(cString: $0) } ?? ""
    code = error?.pointee.code ?? 0
    text = error?.pointee.message.map { String(cString: $0) } ?? "no reason was given"
    error.map { library.functions.g_error_free($0) }
  }

  /// Whether the keyring says of itself that it is locked.
  var isLocked: Bool { domain == "secret-error" && code == SECRET_ERROR_IS_LOCKED }

  /// Whether what was asked for has gone meanwhile.
  var isGone: Bool { domain == "secret-error" && code == SECRET_ERROR_NO_SUCH_OBJECT }

  var error: GatebookError {
    if isLocked { return .keyringLocked(cause: text) }
    return switch stage {
    case .bus:
      GatebookError(
        .keyMissing, "The desktop session cannot be reached, so no keyring is available.",
        remedy: "Log in to the desktop again, or use another key source.", cause: text)
    case .service:
      GatebookError(
        .keyMissing, "There is no keyring in this desktop session.",
        remedy: "Start the desktop's keyring (such as gnome-keyring-daemon or KeePassXC), or use "
          + "another key source.", cause: text)
    case .work:
      GatebookError(
        .keyMissing, "The keyring stopped during the request, or rejected it.",
        remedy: "Make sure that the desktop's keyring is running, then try again.", cause: text)
    }
  }
}

extension GatebookError {
  /// The keyring is locked; nobody is asked to unlock it.
  static func keyringLocked(cause: String? = nil) -> GatebookError {
    GatebookError(
      .keyLocked, "The desktop's keyring is locked.",
      remedy:
        "Unlock it, by logging in to the desktop or in its password manager, then try again.",
      cause: cause)
  }
}
