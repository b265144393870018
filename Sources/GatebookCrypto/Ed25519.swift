internal import COpenSSL

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
    let key = OpenSSL.handle(
      EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, publicKey, publicKey.count),
      "an Ed25519 key")
    defer { EVP_PKEY_free(key) }
    let context = OpenSSL.handle(EVP_MD_CTX_new(), "a signature context")
    defer { EVP_MD_CTX_free(context) }
    OpenSSL.require(EVP_DigestVerifyInit(context, nil, nil, nil, key), "a signature check")
    let status = EVP_DigestVerify(
      context, signature, signature.count, message, message.count)
    guard status == 1 else {
      OpenSSL.forgetRefusal()
      return false
    }
    return true
  }
}
