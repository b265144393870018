internal import COpenSSL

/// Comparison that does not tell by its duration where two values differ.
package enum ConstantTime {
  /// Whether both hold the same bytes; only their lengths show in the time taken.
  package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return CRYPTO_memcmp(left, right, left.count) == 0
  }
}
