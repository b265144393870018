internal import COpenSSL

/// Keyed hashes (RFC 2104).
package enum HMAC {
  /// The 32 bytes of HMAC-SHA-256.
  package static func sha256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Digest.count) { buffer, initialized in
      let code = EVP_Q_mac(
        nil, "HMAC", nil, "SHA256", nil, key, key.count, message, message.count,
        buffer.baseAddress, Digest.count, &initialized)
      precondition(code != nil && initialized == Digest.count, "libcrypto could not finish HMAC.")
    }
  }
}
