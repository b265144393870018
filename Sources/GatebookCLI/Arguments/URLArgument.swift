internal import Gatebook

/// Reads the URLs of a command line.
enum URLArgument {
  /// Reads a URL.
  ///
  /// - Parameters:
  ///   - text: The URL.
  ///   - name: Its option or argument.
  /// - Returns: The URL.
  /// - Throws: `UsageError`, without repeating the text: it may hold a password.
  static func read(_ text: String, _ name: String) throws(UsageError) -> HTTPURL {
    guard let url = HTTPURL(text) else { throw useless(text, name) }
    return url
  }

  /// Reads a server's name of itself, which is compared as it was written.
  ///
  /// - Parameters:
  ///   - text: The name.
  ///   - name: Its option or argument.
  /// - Returns: The issuer.
  /// - Throws: As ``read(_:_:)``.
  static func issuer(_ text: String, _ name: String) throws(UsageError) -> Issuer {
    guard let issuer = Issuer(text) else { throw useless(text, name) }
    return issuer
  }

  private static func useless(_ text: String, _ name: String) -> UsageError {
    UsageError(
      "The value of `\(name)` is not a valid http or https URL.",
      remedy: text.contains("@")
        ? "Leave the user and the password out of the URL. Give the user with `--user`; Gatebook asks "
          + "for the password."
        : "Write the whole URL, such as `https://portal.example/`, with special characters "
          + "percent-encoded.")
  }
}

extension Arguments {
  /// The URL of an option that the command cannot do without.
  func url(_ option: CommandOption) throws(UsageError) -> HTTPURL {
    try URLArgument.read(try required(option), option.name)
  }

  /// The URL of an option; `nil` when it was not given.
  func optionalURL(_ option: CommandOption) throws(UsageError) -> HTTPURL? {
    self[option] == nil ? nil : try url(option)
  }
}
