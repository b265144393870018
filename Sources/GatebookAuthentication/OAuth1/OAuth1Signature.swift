package import GatebookCrypto
package import GatebookEvents

/// How an OAuth 1.0a client proves its secrets (RFC 5849 section 3.4).
package enum OAuth1Signature: Sendable {
  /// Section 3.4.2; what every service of OAuth 1.0a knows.
  case hmacSHA1
  /// As section 3.4.2 with SHA-256: an extension that many services know.
  case hmacSHA256
  /// Section 3.4.3: the key takes the place of the consumer's secret.
  case rsaSHA1(RSAKey)
  /// Section 3.4.4: the secrets themselves, so only over TLS or on this machine.
  case plaintext

  /// The value of `oauth_signature_method`.
  package var name: String {
    switch self {
    case .hmacSHA1: "HMAC-SHA1"
    case .hmacSHA256: "HMAC-SHA256"
    case .rsaSHA1: "RSA-SHA1"
    case .plaintext: "PLAINTEXT"
    }
  }

  /// The value of `oauth_signature`, not yet percent-encoded.
  ///
  /// - Parameters:
  ///   - base: The base string.
  ///   - consumerSecret: The application's secret; RSA-SHA1 does not use it.
  ///   - tokenSecret: The token's secret; empty while there is no token.
  /// - Returns: The signature.
  /// - Throws: `configuration.invalid` where this machine signs nothing with SHA-1.
  package func sign(
    _ base: [UInt8], consumerSecret: Secret, tokenSecret: Secret
  ) throws(GatebookError) -> String {
    switch self {
    case .hmacSHA1:
      return Base64.encode(HMAC.code(.sha1, key: Self.key(consumerSecret, tokenSecret), base))
    case .hmacSHA256:
      return Base64.encode(HMAC.code(.sha256, key: Self.key(consumerSecret, tokenSecret), base))
    case .rsaSHA1(let key):
      do {
        return Base64.encode(try key.sign(base, with: .sha1))
      } catch {
        throw error.error
      }
    case .plaintext:
      return Self.key(consumerSecret, tokenSecret).text
    }
  }

  /// Section 3.4.2: both secrets encoded, with the `&` "even when either secret is empty".
  private static func key(_ consumerSecret: Secret, _ tokenSecret: Secret) -> [UInt8] {
    consumerSecret.withBytes { OAuth1Encoding.encode($0) } + [UInt8(ascii: "&")]
      + tokenSecret.withBytes { OAuth1Encoding.encode($0) }
  }
}
