package import GatebookCrypto
package import GatebookEvents

extension PrivateKeyRefusal {
  /// The refusal as the error of a setting: `configuration.invalid`.
  package var error: GatebookError {
    switch self {
    case .encrypted:
      GatebookError(
        .configurationInvalid, "The private key is encrypted with a passphrase.",
        remedy: "Give the key without a passphrase; Gatebook seals it in the book.")
    case .unreadable:
      GatebookError(
        .configurationInvalid, "The private key is no PEM text that is understood.",
        remedy: "Give the text from its BEGIN to its END line, at most 64 KiB.")
    case .otherAlgorithm:
      GatebookError(
        .configurationInvalid, "The private key is of another kind than what is signed with here.",
        remedy:
          "Give the key that was registered with the server: RSA, or P-256 where it is allowed.")
    case .size:
      GatebookError(
        .configurationInvalid, "The private key has fewer or more bits than are allowed here.",
        remedy: "Register an RSA key of 2,048 bits with the server.")
    case .hash:
      GatebookError(
        .configurationInvalid, "This machine makes no signature with the hash asked for.",
        remedy: "Choose another signature method, or allow the hash in the machine's policy.")
    }
  }
}
