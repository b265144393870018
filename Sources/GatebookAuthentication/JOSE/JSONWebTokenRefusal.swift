package import GatebookEvents

/// Why a text is no token that may be trusted: a reason for each rule.
package enum JSONWebTokenRefusal: String, Error, Hashable, Sendable, CaseIterable {
  /// It has more than 64 KiB.
  case tooLong = "size"
  /// It has five parts: it is encrypted (RFC 7516 section 7.1), which is not supported.
  case encrypted
  /// It has not three parts of base64url without padding.
  case parts
  /// Its header is no JSON object, has a name twice or a member of another kind than its own.
  case header
  /// Its content is no JSON object, or has a name twice.
  case content
  /// `crit` demands something that is not supported (RFC 7515 section 4.1.11).
  case critical = "crit"
  /// `alg` is `none`, in any spelling (RFC 8725 section 3.2).
  case unsigned = "alg.none"
  /// `alg` is unknown or not allowed here.
  case algorithm = "alg"
  /// No key, or not one alone, is the one it was signed with.
  case unknownKey = "kid"
  /// The key that is named is for something else.
  case keyUnfit = "key.use"
  /// The key has fewer than 2,048 bits.
  case weakKey = "key.size"
  /// The signature is not the key's over these bytes.
  case signature

  /// The refusal as an error: `content.unexpected` for most, `limit.exceeded` for its size,
  /// `configuration.invalid` where a setting at the server or here can help.
  package var error: GatebookError {
    let code: FailureCode
    let remedy: String
    switch self {
    case .tooLong:
      (code, remedy) = (.limitExceeded, "Ask the server's administrator to issue smaller tokens.")
    case .encrypted:
      (code, remedy) = (
        .configurationInvalid, "Register the client for tokens that are signed but not encrypted."
      )
    case .algorithm:
      (code, remedy) = (
        .configurationInvalid,
        "Allow the server's algorithm in the account's settings, or register the client for RS256."
      )
    case .parts, .header, .content, .critical, .unsigned, .unknownKey, .keyUnfit, .weakKey,
      .signature:
      (code, remedy) = (.contentUnexpected, "Log in again, or ask the server's administrator.")
    }
    return .atLogin(
      code, "The server's signed token was rejected.", remedy: remedy, cause: "JWT \(rawValue)")
  }

  /// The refusal of an algorithm as an error that names it: it is what the settings are to allow.
  ///
  /// - Parameter name: The algorithm, a plain name.
  /// - Returns: `configuration.invalid`.
  package static func error(ofAlgorithm name: String) -> GatebookError {
    let unnamed = algorithm.error
    let isKnown = SignatureAlgorithm(name: name) != nil
    var error = GatebookError(
      unnamed.code,
      "The server signs its tokens with \(name), "
        + (isKnown ? "which the account's settings do not allow." : "which is not supported."),
      kept: unnamed.kept,
      remedy: isKnown
        ? unnamed.remedy
        : "Register the client for RS256, or for another algorithm that the settings allow.",
      cause: unnamed.cause)
    error.setting = "tokenAlgorithms"
    return error
  }
}
