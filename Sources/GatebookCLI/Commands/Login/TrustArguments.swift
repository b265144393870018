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

  /// Reads them; keys that are accepted are added by `exceptions`.
  static func trust(_ arguments: Arguments) throws(UsageError) -> Trust {
    var trust = Trust.system
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

  /// The keys that are accepted, wherever the login goes.
  static func acceptedKeys(_ arguments: Arguments) throws(UsageError) -> [AcceptedKey] {
    var keys: [AcceptedKey] = []
    for text in arguments.all(accepted) { keys.append(try AcceptedKey(text, accepted)) }
    return keys
  }
}
