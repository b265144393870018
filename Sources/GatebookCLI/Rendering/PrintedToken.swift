internal import Gatebook

/// A token with what its formats say beside it.
struct PrintedToken: Sendable {
  /// The token; it is a secret.
  let value: String
  var scope = ""
  /// `nil` if the server did not say.
  var expiresAt: Timestamp?
  /// Whose it is; empty if nobody knows.
  var user = ""
  /// The host that it is for, without its port.
  var host = ""

  /// `Bearer` and the token, for a header field.
  ///
  /// Wider than the grammar of RFC 6750 section 2.1, which servers do not keep to: all that can be
  /// seen of ASCII.
  ///
  /// - Throws: `configuration.invalid` for a token with any other character.
  func bearer(in format: String) throws(GatebookError) -> String {
    guard !value.isEmpty, value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Self.unfit("token", "characters that no header field can carry", format)
    }
    return "Bearer \(value)"
  }

  /// A value on one line.
  ///
  /// - Throws: `configuration.invalid` for one with control characters, or an empty one.
  func line(
    _ value: String, _ name: String, in format: String
  ) throws(GatebookError) -> String {
    guard !value.isEmpty else { throw Self.unknown(name, format) }
    guard !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw Self.unfit(name, "control characters", format) }
    return value
  }

  /// A value as one word that is written without quotes.
  ///
  /// - Throws: `configuration.invalid` for one with blanks, quotes, backslashes or control
  ///   characters, one that begins like a comment, or an empty one.
  func word(
    _ value: String, _ name: String, in format: String
  ) throws(GatebookError) -> String {
    let word = try line(value, name, in: format)
    let isPlain = !word.unicodeScalars.contains { scalar in
      scalar.properties.isWhitespace || scalar == "\"" || scalar == "'" || scalar == "\\"
    }
    guard isPlain, word.first != "#" else {
      throw Self.unfit(name, "blanks, quotes, backslashes or a # at its beginning", format)
    }
    return word
  }

  private static func unfit(
    _ name: String, _ what: String, _ format: String
  ) -> GatebookError {
    GatebookError(
      .configurationInvalid,
      "The \(name) cannot be written in the format `\(format)`, because it has \(what).",
      kept: "The session is kept, and nothing was printed.", remedy: remedy(name))
  }

  private static func unknown(_ name: String, _ format: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The format `\(format)` needs the \(name), which is not known.",
      kept: "The session is kept, and nothing was printed.", remedy: remedy(name))
  }

  private static func remedy(_ name: String) -> String {
    switch name {
    case "user name": "Give the name that the program is to use, with `--user`."
    case "host": "Give the host that the program is to use, with `--host`."
    default: "Use `--format json`, which can carry every token."
    }
  }
}
