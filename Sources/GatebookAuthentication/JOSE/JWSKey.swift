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
