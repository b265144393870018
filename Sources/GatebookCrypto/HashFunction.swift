internal import COpenSSL

/// A hash that a protocol names.
///
/// For many SHA-256 values in a row use ``SHA256``, which fetches its algorithm once.
package enum HashFunction: Hashable, Sendable, CaseIterable {
  /// MD5 (RFC 1321): broken, only for protocols that demand it.
  case md5
  /// SHA-1 (FIPS 180-4): broken, only for protocols that demand it.
  case sha1
  /// SHA-256 (FIPS 180-4).
  case sha256
  /// SHA-384 (FIPS 180-4).
  case sha384
  /// SHA-512 (FIPS 180-4).
  case sha512
  /// SHA-512/256 (FIPS 180-4 section 6.7): initial values of its own, not a cut SHA-512.
  case sha512Over256

  /// The number of bytes in a hash.
  package var count: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256, .sha512Over256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// Whether this machine computes it: a machine held to FIPS 140 has no MD5.
  package var isAvailable: Bool {
    guard let algorithm = EVP_MD_fetch(nil, name, nil) else {
      OpenSSL.forgetRefusal()
      return false
    }
    EVP_MD_free(algorithm)
    return true
  }

  /// The hash of the bytes, ``count`` of them.
  ///
  /// Ends the program where the hash is not available.
  package func hash(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let status = EVP_Q_digest(
        nil, name, nil, bytes, bytes.count, buffer.baseAddress, &initialized)
      OpenSSL.require(status, "a hash")
      precondition(initialized == count, "libcrypto gave a hash of another length.")
    }
  }

  /// libcrypto's name of the algorithm.
  var name: UnsafePointer<CChar> {
    switch self {
    case .md5: OpenSSL.name("MD5")
    case .sha1: OpenSSL.name("SHA1")
    case .sha256: OpenSSL.name("SHA256")
    case .sha384: OpenSSL.name("SHA384")
    case .sha512: OpenSSL.name("SHA512")
    case .sha512Over256: OpenSSL.name("SHA512-256")
    }
  }
}
