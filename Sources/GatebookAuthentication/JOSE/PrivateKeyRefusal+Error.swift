package import GatebookCrypto
package import GatebookEvents

extension PrivateKeyRefusal {
  /// The refusal as the error of a setting: `configuration.invalid`.
  package var error: GatebookError {
    switch self {
    case .encrypted:
      GatebookError(
        .configurationInvalid, "The private key is encrypted with a passphrase.",
        remedy: "Give the key without a passphrase; Gatebook encrypts it in the book.")
    case .unreadable:
      GatebookError(
        .configurationInvalid, "The private key is not in a supported PEM format.",
        remedy: "Give the text from the BEGIN line to the END line, at most 64 KiB.")
    case .otherAlgorithm:
      GatebookError(
        .configurationInvalid, "The private key has the wrong type for this signature.",
        remedy:
          "Give the key that was registered with the server: RSA, or P-256 where it is allowed.")
    case .size:
      GatebookError(
        .configurationInvalid, "The private key has too few or too many bits.",
        remedy: "Register an RSA key of 2,048 bits with the server.")
    case .hash:
      GatebookError(
        .configurationInvalid, "This machine does not allow signatures with this hash.",
        remedy: "Choose another signature method, or allow the hash in the machine's policy.")
    }
  }
}
