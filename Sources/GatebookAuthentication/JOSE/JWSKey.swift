package import GatebookCrypto
package import GatebookEvents

/// A private key that makes JSON Web Signatures.
package enum JWSKey: Sendable {
  /// Signs with RS256.
  case rsa(RSAKey)
  /// Signs with ES256.
  case elliptic(P256Key)

  /// Reads the first private key of a PEM text: RSA of 2,048 bits or more, or P-256.
  ///
  /// - Parameter pem: The text with its `BEGIN` and `END` lines, at most 64 KiB.
  /// - Throws: The reason; a passphrase is never asked for.
  package init(pem: Secret) throws(PrivateKeyRefusal) {
    do throws(PrivateKeyRefusal) {
      self = .elliptic(try P256Key(pem: pem))
      return
    } catch  where error != .otherAlgorithm {
      throw error
    } catch {
      // Not on the curve, so it can only be RSA.
    }
    let key = try RSAKey(pem: pem)
    // RFC 7518 section 3.3: "A key of size 2048 bits or larger MUST be used".
    guard key.publicKey.bitCount >= RSAPublicKey.trustedBits else { throw .size }
    self = .rsa(key)
  }

  /// The algorithm of its signatures.
  package var algorithm: SignatureAlgorithm {
    switch self {
    case .rsa: .rs256
    case .elliptic: .es256
    }
  }

  /// The compact form of a token signed by this key (RFC 7515 section 7.1).
  ///
  /// - Parameters:
  ///   - claims: The content.
  ///   - header: Members of the header beside `alg`.
  /// - Returns: Three parts of base64url.
  /// - Throws: `configuration.invalid` where this machine does not sign with this key.
  package func sign(_ claims: Facts, header: Facts) throws(GatebookError) -> String {
    var header = header
    header["alg"] = .text(algorithm.rawValue)
    let signed = Base64URL.encode(header.encoded) + "." + Base64URL.encode(claims.encoded)
    do throws(PrivateKeyRefusal) {
      return signed + "." + Base64URL.encode(try signature(of: Array(signed.utf8)))
    } catch {
      throw error.error
    }
  }

  private func signature(of message: [UInt8]) throws(PrivateKeyRefusal) -> [UInt8] {
    switch self {
    case .rsa(let key): try key.sign(message, with: .sha256)
    case .elliptic(let key): try key.sign(message)
    }
  }
}

/// An algorithm of signatures that Gatebook verifies (RFC 7518 section 3.1, RFC 8037 section 3.1).
///
/// Closed: there is neither `none` nor an HMAC, for which a server's public key could be taken.
package enum SignatureAlgorithm: String, Hashable, Sendable, CaseIterable {
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  case rs256 = "RS256"
  /// RSASSA-PKCS1-v1_5 with SHA-384.
  case rs384 = "RS384"
  /// RSASSA-PKCS1-v1_5 with SHA-512.
  case rs512 = "RS512"
  /// RSASSA-PSS with SHA-256.
  case ps256 = "PS256"
  /// RSASSA-PSS with SHA-384.
  case ps384 = "PS384"
  /// RSASSA-PSS with SHA-512.
  case ps512 = "PS512"
  /// ECDSA on P-256 with SHA-256.
  case es256 = "ES256"
  /// ECDSA on P-384 with SHA-384.
  case es384 = "ES384"
  /// ECDSA on P-521 with SHA-512.
  case es512 = "ES512"
  /// Ed25519, under its older name.
  case edDSA = "EdDSA"

  /// The algorithm of this name, as tokens, keys and settings write it.
  ///
  /// RFC 9864 section 2.2 gives EdDSA with this curve a name of its own, `Ed25519`.
  package init?(name: String) {
    self.init(rawValue: name == "Ed25519" ? Self.edDSA.rawValue : name)
  }

  /// The hash that the algorithm names; SHA-512 is the one inside Ed25519 (RFC 8032 section 5.1).
  package var hash: HashFunction {
    switch self {
    case .rs256, .ps256, .es256: .sha256
    case .rs384, .ps384, .es384: .sha384
    case .rs512, .ps512, .es512, .edDSA: .sha512
    }
  }

  /// Whether a text is the value of `at_hash` or `c_hash` (OpenID Connect Core 1.0 section
  /// 3.1.3.6).
  ///
  /// "base64url encoding of the left-most half of the hash of the octets of the ASCII
  /// representation" of the token or code. The name EdDSA names no hash: some servers take the one
  /// inside Ed25519, others SHA-256.
  package func isHalfHash(_ text: String, of value: Secret) -> Bool {
    (self == .edDSA ? [hash, .sha256] : [hash]).contains { hash in
      let whole = value.withBytes { hash.hash($0) }
      return Base64URL.encode(whole.prefix(whole.count / 2)).hasSameBytes(as: text)
    }
  }
}
