internal import Gatebook

/// The options that say which servers an account trusts, and how it shows itself to them.
enum TrustArguments {
  private static let authorities = CommandOption.value(
    "--ca-file", "F", "trust the certificate authorities in this PEM file, and only those")
  private static let pin = CommandOption.values(
    "--pin", "KEY",
    "the only keys to accept, in addition to a valid certificate: `sha256/` and 44 characters of Base64"
  )
  private static let accepted = CommandOption.values(
    "--accept-key", "KEY",
    "accept this key of the login's server although its certificate is self-signed or of an unknown "
      + "authority; add other defects, as in +wrongHost+expired")
  private static let certificate = CommandOption.value(
    "--client-cert", "F", "the PEM file of the certificate to show to servers that ask for one")
  private static let key = CommandOption.value(
    "--client-key", "F", "the PEM file of its key, not encrypted (else in the same file)")

  /// Whether the account trusts from now on what these options say, and nothing else.
  static let reset = CommandOption.flag(
    "--reset-trust",
    "for a known account: replace everything it trusts by these options (default: each option replaces "
      + "only its own kind)")

  /// All of them, in the order of the help.
  static let all = [authorities, pin, accepted, certificate, key, reset]

  /// Reads them.
  ///
  /// - Parameters:
  ///   - arguments: What was given.
  ///   - server: The only server whose keys are accepted.
  /// - Returns: Whom the account trusts.
  /// - Throws: `UsageError` for what cannot be understood, and when keys are accepted of a server
  ///   without any.
  static func trust(_ arguments: Arguments, at server: Origin) throws(UsageError) -> Trust {
    var trust = Trust.system
    guard server.isSecure || !arguments.has(accepted) else {
      throw UsageError(
        "`--accept-key` needs an https URL: without TLS a server shows no key.",
        remedy: "Leave it out, or log in with https.")
    }
    for text in arguments.all(accepted) {
      trust.exceptions.append(try AcceptedKey(text, accepted).exception(at: server))
    }
    if let path = arguments[authorities] {
      trust.authorities = .file(try FilePath.absolute(path, authorities))
    }
    for text in arguments.all(pin) { trust.pins.append(try AcceptedKey.key(text, pin)) }
    guard let path = arguments[certificate] else {
      guard arguments[key] == nil else {
        throw UsageError(
          "`--client-key` needs `--client-cert`.", remedy: "Give the certificate too.")
      }
      return trust
    }
    trust.client = ClientCertificate(
      certificate: try FilePath.absolute(path, certificate),
      key: try FilePath.absolute(arguments[key] ?? path, arguments[key] == nil ? certificate : key))
    return trust
  }
}
