internal import COpenSSL

/// A private key that makes Ed25519 signatures (RFC 8032 section 5.1).
package struct SigningKey: Sendable {
  /// The number of bytes in a seed.
  package static let seedCount = 32

  private let key: PrivateKey

  /// The 32 bytes that verify this key's signatures.
  package let publicKey: [UInt8]

  /// Makes the key from its seed; `nil` unless that has 32 bytes.
  ///
  /// The seed is the private key of RFC 8032 section 5.1.5; the caller keeps and wipes it.
  package init?(seed: [UInt8]) {
    guard seed.count == SigningKey.seedCount else { return nil }
    key = PrivateKey(seed: seed)
    publicKey = key.publicKey()
  }

  /// The 64 bytes of the signature; the same message always gives the same bytes.
  package func sign(_ message: [UInt8]) -> [UInt8] {
    key.sign(message)
  }
}

/// The owner of libcrypto's key.
// Unchecked: the key never changes after it was made, and each signature has its own context.
private final class PrivateKey: @unchecked Sendable {
  private let handle: OpaquePointer

  init(seed: [UInt8]) {
    handle = OpenSSL.handle(
      EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, seed, seed.count), "an Ed25519 key")
  }

  deinit {
    EVP_PKEY_free(handle)
  }

  func publicKey() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Ed25519.publicKeyCount) { buffer, initialized in
      initialized = Ed25519.publicKeyCount
      let status = EVP_PKEY_get_raw_public_key(handle, buffer.baseAddress, &initialized)
      OpenSSL.require(status, "a public key")
    }
  }

  func sign(_ message: [UInt8]) -> [UInt8] {
    let context = OpenSSL.handle(EVP_MD_CTX_new(), "a signature context")
    defer { EVP_MD_CTX_free(context) }
    return [UInt8](unsafeUninitializedCapacity: Ed25519.signatureCount) { buffer, initialized in
      initialized = Ed25519.signatureCount
      OpenSSL.require(EVP_DigestSignInit(context, nil, nil, nil, handle), "a signature")
      let status = EVP_DigestSign(
        context, buffer.baseAddress, &initialized, message, message.count)
      OpenSSL.require(status, "a signature")
    }
  }
}
