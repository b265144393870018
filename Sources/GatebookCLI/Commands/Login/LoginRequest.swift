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

  /// Whether to save the credentials for automatic logins.
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

/// What a login by the command line was asked with and only the command line knows: it is kept
/// among the notes of the account's settings.
enum LoginNotes {
  /// The options that are kept as they were given.
  private static let options = [PageArguments.noBrowser, LoginArguments.timeoutOption]
  /// The options whose values are paths of files.
  private static let files = [ClientArguments.secretFile]

  /// What an option is called there.
  static func name(of option: CommandOption) -> String {
    String(option.name.drop { $0 == "-" })
  }

  /// The notes of a login.
  static func of(_ arguments: Arguments) -> [String: String] {
    var notes: [String: String] = [:]
    for option in options { notes[name(of: option)] = arguments[option] }
    for option in files { notes[name(of: option)] = arguments[option].flatMap(path) }
    // A field on the command line may be a key all the same.
    let field = arguments[LoginFCSDKCommand.header].flatMap {
      $0.hasPrefix("@") ? $0.dropFirst() : nil
    }
    notes[name(of: LoginFCSDKCommand.header)] = field.flatMap { path(String($0)) }
    // Empty for a port that this program has chosen.
    notes[name(of: PageArguments.redirect)] = arguments[PageArguments.redirect] ?? ""
    return notes
  }

  /// The path of a file that is there next time too, from the root; `nil` for what one process
  /// hands to another.
  static func path(_ text: String) -> String? {
    let path = FilePath.whole(text)
    return ["/dev/", "/proc/"].contains(where: path.hasPrefix) ? nil : path
  }
}
