internal import COpenSSL

/// Keys derived from a password, at a cost in memory and time (RFC 7914).
package enum Scrypt {
  /// The highest 128 * N * r * p that is worked on: 2 GiB, several seconds.
  ///
  /// Costs are read from files, so a damaged file must not stop the program for hours.
  package static let limit = 1 << 31

  /// Derives a key; `nil` when the cost is malformed or beyond ``limit``.
  ///
  /// - Parameters:
  ///   - password: Any bytes, also none.
  ///   - salt: Random bytes of the password's own.
  ///   - n: RFC 7914 section 2: "must be larger than 1, a power of 2".
  ///   - r: The block size; memory taken is 128 * N * r bytes.
  ///   - p: How often the work is done, one after the other.
  ///   - count: How many bytes; at least one.
  /// - Returns: The key, or `nil`.
  package static func derive(
    password: [UInt8], salt: [UInt8], cost n: Int, blockSize r: Int, parallelism p: Int, count: Int
  ) -> [UInt8]? {
    guard n > 1, n.nonzeroBitCount == 1, r > 0, p > 0, count > 0, isAffordable(n, r, p) else {
      return nil
    }
    // libcrypto counts p blocks, N + 2 blocks of scratch, and refuses above 32 MiB unless told.
    let memory = 128 * r * (n + p + 2)
    var key = [UInt8](repeating: 0, count: count)
    let status = password.withUnsafeBytes { password in
      EVP_PBE_scrypt(
        password.bindMemory(to: CChar.self).baseAddress, password.count, salt, salt.count,
        UInt64(n), UInt64(r), UInt64(p), UInt64(memory), &key, count)
    }
    guard status == 1 else {
      OpenSSL.forgetRefusal()
      return nil
    }
    return key
  }

  private static func isAffordable(_ n: Int, _ r: Int, _ p: Int) -> Bool {
    // Each step divides what is left, so that no product can overflow.
    n <= limit / 128 && r <= limit / 128 / n && p <= limit / 128 / n / r
  }
}
