internal import Gatebook

/// What the options that all logins share ask for, read before the book is opened.
struct LoginRequest: Sendable {
  /// How long one request may take; `nil` for the usual limits.
  let timeout: Duration?
  private let common: LoginOptions
  private let keys: [AcceptedKey]

  /// Reads the options.
  init(_ arguments: Arguments) throws {
    common = try LoginArguments.options(arguments)
    timeout = try LoginArguments.timeout(arguments)
    keys = try TrustArguments.acceptedKeys(arguments)
  }

  /// The label for a new account; `nil` for none.
  var label: String? { common.label }

  /// Whether what logs in again by itself is to be saved.
  var savesCredentials: Bool { common.saveCredentials }

  /// The options for a login.
  ///
  /// - Parameters:
  ///   - server: The login's server: keys are accepted there and nowhere else.
  ///   - account: Whose login it must be; `nil` for anybody's.
  /// - Returns: The options, keys that are accepted among their trust.
  /// - Throws: `UsageError` when keys are accepted of a server without any.
  func options(
    at server: Origin, of account: AccountID? = nil
  ) throws(UsageError) -> LoginOptions {
    guard keys.isEmpty || server.isSecure else {
      throw UsageError(
        "`--accept-key` needs an https URL: without TLS a server shows no key.",
        remedy: "Leave it out, or log in with https.")
    }
    var options = common
    options.account = account
    options.trust.exceptions = keys.map { $0.exception(at: server) }
    return options
  }
}
