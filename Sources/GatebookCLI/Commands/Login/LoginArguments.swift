internal import Gatebook

/// The options that all logins share.
enum LoginArguments {
  private static let label = CommandOption.value(
    "--label", "NAME", "the account's label: 1 to 64 characters, not all digits")
  /// Who logs in, by most methods.
  static let user = CommandOption.value(
    "--user", "U", "the user name (with --account that of its last login)")
  /// Whether the account may log in again automatically.
  static let saveOption = CommandOption.flag(
    "--save-credentials",
    "save credentials, so that `gatebook refresh` can log in again without asking, also after a logout, "
      + "and `gatebook restore --password-stdin` can check the password offline",
    kept: "options.saveCredentials")
  private static let offlineLimit = CommandOption.value(
    "--offline-limit", "S",
    "how many seconds the session may be used without the server confirming it (no limit)",
    kept: "options.offlineSeconds")
  private static let origin = CommandOption.values(
    "--allow-origin", "URL", "another server that the account's credentials may be sent to",
    kept: "options.origins")
  private static let cleartext = CommandOption.flag(
    "--allow-cleartext",
    "allow secrets to be sent to another machine without TLS; this is recorded",
    kept: "options.allowsCleartext")
  /// How long one request may take.
  static let timeoutOption = CommandOption.value(
    "--timeout", "S",
    "how many seconds one request may take, its connection included (15 to connect; in all 30 for a "
      + "token and 60 for anything else)",
    kept: "options.notes.timeout")

  /// All of them, in the order of the help.
  static let all =
    [Answers.standardInputOption] + LoginPageArguments.all + [label, saveOption]
    + TrustArguments.all + [
      offlineLimit, origin, cleartext, timeoutOption,
    ]

  /// What is asked, in this order.
  ///
  /// - Parameters:
  ///   - asksUser: Whether a user that was left out is asked for.
  ///   - secrets: What is asked for then.
  /// - Returns: A paragraph for the help.
  static func questions(asksUser: Bool = false, _ secrets: String = "the password") -> String {
    "Asked in this order, secrets without echo: the book's passphrase if it has one, "
      + (asksUser ? "the user if there is no --user, " : "")
      + "\(secrets). With --password-stdin the answers come from standard input, one a line."
  }

  /// Reads them.
  ///
  /// - Parameters:
  ///   - arguments: What was given.
  ///   - server: The login's server: keys are accepted there and nowhere else.
  /// - Returns: The options, keys that are accepted among their trust.
  /// - Throws: `UsageError` for what cannot be understood, and when keys are accepted of a server
  ///   without any.
  static func options(_ arguments: Arguments, at server: Origin) throws -> LoginOptions {
    var options = LoginOptions()
    options.saveCredentials = arguments.has(saveOption)
    options.allowsCleartext = arguments.has(cleartext)
    for text in arguments.all(origin) {
      options.origins.append(try URLArgument.read(text, origin.name).origin)
    }
    if let text = arguments[label] {
      try AccountSelector.checkLabel(text)
      options.label = text
    }
    options.offlineLimit = try arguments.integer(offlineLimit, in: 1...3_153_600_000)
      .map { .seconds($0) }
    options.redirectLimit = try ServerPageArguments.limit(arguments)
    options.trust = try TrustArguments.trust(arguments, at: server)
    options.keepsTrust = !arguments.has(TrustArguments.reset)
    options.notes = LoginNotes.of(arguments)
    return options
  }

  /// How long one request may take; `nil` for the usual limits.
  static func timeout(_ arguments: Arguments) throws(UsageError) -> Duration? {
    try arguments.integer(timeoutOption, in: 1...86_400).map { .seconds($0) }
  }
}

extension LoginArguments {
  /// What the shared options find of themselves.
  static func repeatable(_ options: LoginOptions) -> Facts {
    var facts = options.record
    // A part of a second counts as a whole one, which the option takes.
    facts["offlineSeconds"] = options.offlineLimit.map { limit in
      .integer(max(1, limit.components.seconds + (limit.components.attoseconds > 0 ? 1 : 0)))
    }
    return facts
  }
}

/// What a login by the command line was asked with and only the command line knows: it is kept
/// among the notes of the account's settings.
enum LoginNotes {
  /// The options that are kept as they were given.
  private static let options = [ServerPageArguments.noBrowser, LoginArguments.timeoutOption]
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
    // It was about Gatebook's own page, of that login alone.
    if arguments.has(LoginPageArguments.page) {
      notes[name(of: ServerPageArguments.noBrowser)] = nil
    }
    for option in files { notes[name(of: option)] = arguments[option].flatMap(path) }
    // A field on the command line may be a key all the same.
    let field = arguments[LoginFCSDKCommand.header].flatMap {
      $0.hasPrefix("@") ? $0.dropFirst() : nil
    }
    notes[name(of: LoginFCSDKCommand.header)] = field.flatMap { path(String($0)) }
    // Empty for a port that this program has chosen.
    notes[name(of: ServerPageArguments.redirect)] = arguments[ServerPageArguments.redirect] ?? ""
    return notes
  }

  /// The path of a file that is there next time too, from the root; `nil` for what one process
  /// hands to another.
  static func path(_ text: String) -> String? {
    let path = FilePath.whole(text)
    return ["/dev/", "/proc/"].contains(where: path.hasPrefix) ? nil : path
  }
}
