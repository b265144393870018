internal import COpenSSL

/// Keyed hashes (RFC 2104).
package enum HMAC {
  /// The 32 bytes of HMAC-SHA-256.
  package static func sha256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    code(.sha256, key: key, message)
  }

  /// The code of a message, as many bytes as the hash has.
  ///
  /// - Parameters:
  ///   - hash: SHA-1 only where a protocol demands it, such as OAuth 1.0a (RFC 5849 section 3.4.2).
  ///   - key: Any number of bytes, also none.
  ///   - message: Any number of bytes, also none.
  /// - Returns: The code.
  package static func code(
    _ hash: HashFunction, key: [UInt8], _ message: [UInt8]
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: hash.count) { buffer, initialized in
      let code = EVP_Q_mac(
        nil, "HMAC", nil, hash.name, nil, key, key.count, message, message.count,
        buffer.baseAddress, hash.count, &initialized)
      precondition(code != nil && initialized == hash.count, "libcrypto could not finish HMAC.")
    }
  }
}
