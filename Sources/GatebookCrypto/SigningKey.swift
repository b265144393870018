/// A private key that makes Ed25519 signatures (RFC 8032 section 5.1).
package struct SigningKey: Sendable {
  /// The number of bytes in a seed.
  package static let seedCount = 32

  private let key: PrivateKeyHandle

  /// The 32 bytes that verify this key's signatures.
  package let publicKey: [UInt8]

  /// Makes the key from its seed; `nil` unless that has 32 bytes.
  ///
  /// The seed is the private key of RFC 8032 section 5.1.5; the caller keeps and wipes it.
  package init?(seed: [UInt8]) {
    guard seed.count == SigningKey.seedCount else { return nil }
    key = .ed25519(seed: seed)
    publicKey = key.rawPublicKey()
  }

  /// The 64 bytes of the signature; the same message always gives the same bytes.
  package func sign(_ message: [UInt8]) -> [UInt8] {
    guard let signature = key.sign(message, with: nil) else {
      preconditionFailure("libcrypto could not finish a signature.")
    }
    return signature
  }
}

/// Verification of Ed25519 signatures (RFC 8032 section 5.1.7).
package enum Ed25519 {
  /// The number of bytes in a public key.
  package static let publicKeyCount = 32
  /// The number of bytes in a signature.
  package static let signatureCount = 64

  /// Whether the key's owner signed the message; `false` for malformed signatures and keys too.
  package static func verify(
    _ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]
  ) -> Bool {
    guard signature.count == signatureCount, publicKey.count == publicKeyCount else {
      return false
    }
    return PublicKeyHandle(ed25519: publicKey).verify(signature, of: message, with: nil)
  }
}
