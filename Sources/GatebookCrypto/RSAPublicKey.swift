internal import COpenSSL

/// The public part of an RSA key, which verifies signatures.
package struct RSAPublicKey: Hashable, Sendable {
  /// The fewest bits that a signature is trusted with (RFC 7518 section 3.3: "2048 bits or
  /// larger").
  package static let trustedBits = 2048
  /// The fewest and most bits of any key; the most bounds the work that a server's key can ask for.
  package static let bits = 1024...8192

  /// The modulus, most significant byte first, without leading zeros (RFC 7518 section 6.3.1.1).
  package let modulus: [UInt8]
  /// The public exponent, most significant byte first, without leading zeros.
  package let exponent: [UInt8]

  /// Takes the numbers of a key; `nil` when they can be none.
  ///
  /// - Parameters:
  ///   - modulus: Odd, 1,024 to 8,192 bits; leading zeros are dropped.
  ///   - exponent: Odd, 3 or more, at most 64 bits; leading zeros are dropped.
  package init?(modulus: [UInt8], exponent: [UInt8]) {
    self.modulus = Array(modulus.drop { $0 == 0 })
    self.exponent = Array(exponent.drop { $0 == 0 })
    guard let low = self.modulus.last, low & 1 == 1, Self.bits.contains(bitCount),
      let last = self.exponent.last, last & 1 == 1, self.exponent != [1],
      self.exponent.count <= 8
    else { return nil }
  }

  /// The number of bits in the modulus.
  package var bitCount: Int {
    modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
  }

  /// Whether the key's owner signed the message; `false` for malformed signatures too.
  ///
  /// - Parameters:
  ///   - signature: The bytes of the signature, as many as the modulus has.
  ///   - message: What was hashed and signed.
  ///   - hash: `.sha256` for RS256; `.sha1` only for RSA-SHA1 (RFC 5849 section 3.4.3).
  ///   - padding: How the hash was padded; PKCS#1 v1.5 unless said.
  ///   - trustedBits: The fewest bits of the modulus; lower it only for a protocol that demands it.
  /// - Returns: `true` if the signature is the key's own over this message.
  package func verify(
    _ signature: [UInt8], of message: [UInt8], with hash: HashFunction,
    padding: RSAPadding = .pkcs1, trustedBits: Int = RSAPublicKey.trustedBits
  ) -> Bool {
    guard bitCount >= trustedBits, signature.count == modulus.count, let key = handle() else {
      return false
    }
    return key.verify(signature, of: message, with: hash, padding: padding)
  }

  /// libcrypto's key; `nil` if it does not take the numbers.
  private func handle() -> PublicKeyHandle? {
    // OSSL_PARAM(3): integers are in the machine's own byte order.
    let modulus = inMachineOrder(modulus)
    let exponent = inMachineOrder(exponent)
    return modulus.withUnsafeBytes { modulus in
      exponent.withUnsafeBytes { exponent in
        PublicKeyHandle(
          "RSA",
          [
            OpenSSL.parameter("n", UInt32(OSSL_PARAM_UNSIGNED_INTEGER), modulus),
            OpenSSL.parameter("e", UInt32(OSSL_PARAM_UNSIGNED_INTEGER), exponent),
          ])
      }
    }
  }

  private func inMachineOrder(_ number: [UInt8]) -> [UInt8] {
    UInt16(1).littleEndian == 1 ? number.reversed() : number
  }
}
