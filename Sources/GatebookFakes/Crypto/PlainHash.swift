internal import COpenSSLTLS

/// The hash functions that the fakes check with, as libcrypto has them: a fake never judges
/// Gatebook by Gatebook's own code.
enum PlainHash: Sendable {
  /// RFC 1321.
  case md5
  /// FIPS 180-4 section 6.1.
  case sha1
  /// FIPS 180-4 section 6.2.
  case sha256
  /// FIPS 180-4 section 6.4.
  case sha512

  private var function: (name: String, handle: OpaquePointer?) {
    switch self {
    case .md5: ("MD5", EVP_md5())
    case .sha1: ("SHA1", EVP_sha1())
    case .sha256: ("SHA256", EVP_sha256())
    case .sha512: ("SHA512", EVP_sha512())
    }
  }

  /// The hash of a message.
  func callAsFunction(_ message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    Libcrypto.require(
      EVP_Digest(message, message.count, &digest, &count, function.handle, nil), "a digest")
    return Array(digest.prefix(Int(count)))
  }

  /// The hash of a text's UTF-8.
  func callAsFunction(_ text: String) -> [UInt8] {
    self(Array(text.utf8))
  }

  /// The hash of a text's UTF-8 in lower-case hexadecimal digits.
  func hex(_ text: String) -> String {
    self(text).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The keyed hash of a message (RFC 2104).
  func keyed(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count = 0
    let made = EVP_Q_mac(
      nil, "HMAC", nil, function.name, nil, key, key.count, message, message.count, &digest,
      digest.count, &count)
    guard made != nil else { preconditionFailure("libcrypto could not make an HMAC.") }
    return Array(digest.prefix(count))
  }
}
