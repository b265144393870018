internal import Gatebook
internal import Glibc

/// The options that all logins share.
enum LoginArguments {
  private static let label = CommandOption.value(
    "--label", "NAME", "what to call the account: 1 to 64 characters, not all digits")
  private static let save = CommandOption.flag(
    "--save-credentials", "let the account log in again by itself, also after a logout")
  private static let authorities = CommandOption.value(
    "--ca-file", "F", "trust the certificate authorities in this PEM file, and only those")
  private static let origin = CommandOption.values(
    "--allow-origin", "URL", "another server that the account's credentials may go to")
  private static let cleartext = CommandOption.flag(
    "--allow-cleartext", "let the password go to another machine without TLS; it is recorded")
  private static let timeout = CommandOption.value(
    "--timeout", "S", "how many seconds one request may take (60)")

  /// All of them, in the order of the help.
  static let all = [
    Answers.standardInputOption, label, save, authorities, origin, cleartext, timeout,
  ]

  /// What logins can end with.
  static let exits: [ExitCode] = [
    .done, .failed, .usage, .loginNeeded, .serverTrouble, .damaged, .busy, .cannotOpen, .untrusted,
    .cancelled,
  ]

  /// What is asked, in this order.
  ///
  /// - Parameter asksUser: Whether a user that was left out is asked for.
  /// - Returns: A paragraph for the help.
  static func questions(asksUser: Bool = false) -> String {
    "Asked in this order, secrets without echo: the book's passphrase if it has one, "
      + (asksUser ? "the user if there is no --user, " : "")
      + "the password. With --password-stdin the answers come from standard input, one a line."
  }

  /// Reads them.
  static func options(_ arguments: Arguments) throws -> LoginOptions {
    var options = LoginOptions()
    options.saveCredentials = arguments.has(save)
    options.allowsCleartext = arguments.has(cleartext)
    for text in arguments.all(origin) {
      options.origins.append(try URLArgument.read(text, "--allow-origin").origin)
    }
    if let text = arguments[label] {
      try AccountSelector.checkLabel(text)
      options.label = text
    }
    if let path = arguments[authorities] { options.trust = .authorities(file: try absolute(path)) }
    return options
  }

  /// How long one request may take; `nil` for the usual limits.
  static func timeout(_ arguments: Arguments) throws(UsageError) -> Duration? {
    try arguments.integer(timeout, in: 1...86_400).map { .seconds($0) }
  }

  /// Whether the account may log in again by itself.
  static func savesCredentials(_ arguments: Arguments) -> Bool { arguments.has(save) }

  /// The book keeps the path, and the next run may start elsewhere.
  private static func absolute(_ path: String) throws(UsageError) -> String {
    guard let real = realpath(path, nil) else {
      throw UsageError(
        "The file of `--ca-file` is not there.", remedy: "Give a PEM file that can be read.")
    }
    defer { free(real) }
    return String(cString: real)
  }
}
