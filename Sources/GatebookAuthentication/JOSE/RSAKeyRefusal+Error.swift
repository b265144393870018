package import GatebookCrypto
package import GatebookEvents

extension RSAKeyRefusal {
  /// The refusal as the error of a setting: `configuration.invalid`.
  package var error: GatebookError {
    switch self {
    case .encrypted:
      GatebookError(
        .configurationInvalid, "The private key is encrypted with a passphrase.",
        remedy: "Give the key without a passphrase; Gatebook seals it in the book.")
    case .unreadable:
      GatebookError(
        .configurationInvalid, "The private key is no PEM text in PKCS#8 or PKCS#1.",
        remedy: "Give the text from its BEGIN to its END line, at most 64 KiB.")
    case .otherAlgorithm:
      GatebookError(
        .configurationInvalid, "The private key is not an RSA key for PKCS#1 v1.5 signatures.",
        remedy: "Give the RSA key that was registered with the server.")
    case .size:
      GatebookError(
        .configurationInvalid, "The private key has fewer than 1,024 or more than 8,192 bits.",
        remedy: "Register an RSA key of 2,048 bits with the server.")
    case .hash:
      GatebookError(
        .configurationInvalid, "This machine makes no RSA signature with the hash asked for.",
        remedy: "Choose another signature method, or allow the hash in the machine's policy.")
    }
  }
}
