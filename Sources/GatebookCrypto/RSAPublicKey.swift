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

/// How a hash is padded before it is signed with RSA (RFC 8017 section 8).
package enum RSAPadding: Hashable, Sendable {
  /// RSASSA-PKCS1-v1_5 (section 8.2).
  case pkcs1
  /// RSASSA-PSS (section 8.1), MGF1 with the same hash.
  ///
  /// RFC 7518 section 3.5: "The size of the salt value is the same size as the hash function
  /// output."
  case pss

  /// Sets it for one signature or its verification; `false` if libcrypto refuses it.
  func set(in context: OpaquePointer?) -> Bool {
    switch self {
    case .pkcs1: EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
    case .pss:
      // MGF1 takes the signature's hash unless another one is set.
      EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
    }
  }
}
