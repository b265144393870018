package import GatebookEvents

/// A name and a password in the form of RFC 7617.
package struct BasicCredentials: Sendable {
  private let bytes: [UInt8]

  /// Checks and joins name and password.
  ///
  /// Always UTF-8: servers usually do not say which charset they read, and refuse ISO-8859-1.
  ///
  /// - Throws: `configuration.invalid` for a colon in the name, which would move the border between
  ///   name and password, and for control characters: "the user-id and password MUST NOT contain
  ///   any control characters" (section 2).
  package init(user: String, password: String) throws(GatebookError) {
    guard !user.utf8.contains(.colon) else {
      throw Self.refusal("The user name contains a colon, which Basic authentication cannot send.")
    }
    guard !(Array(user.utf8) + Array(password.utf8)).contains(where: \.isControl) else {
      throw Self.refusal(
        "The user name or the password contains a control character, which Basic authentication "
          + "cannot send.")
    }
    bytes = Array("\(user):\(password)".utf8)
  }

  /// The `Authorization` field.
  package var field: HTTPField { HTTPField("Authorization", "Basic \(Base64.encode(bytes))") }

  private static func refusal(_ message: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, message, kept: "Nothing was sent.",
      remedy: "Check the user name and the password, or use another login method.")
  }
}
