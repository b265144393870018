public import GatebookCrypto
public import GatebookEvents

/// An application as it is registered at a server of OAuth 1.0a, and how it signs.
///
/// Source: RFC 5849 section 1.1, "client credentials"; Login Screenlet, `OAuthConsumerKey`,
/// `OAuthConsumerSecret`.
public struct OAuth1Consumer: Sendable {
  /// How requests are signed with the secret (RFC 5849 section 3.4).
  public enum Method: Sendable {
    /// Supported by every server.
    case hmacSHA1
    /// An extension that many servers support.
    case hmacSHA256
    /// The secrets themselves are sent: only over TLS or to this machine.
    case plaintext
  }

  /// The value of `oauth_consumer_key`.
  public let key: String
  /// The application's secret; empty with a private key.
  package let secret: Secret
  /// How it signs.
  package let signature: OAuth1Signature

  /// An application with a secret.
  ///
  /// - Parameters:
  ///   - key: The consumer key; not empty.
  ///   - secret: The consumer secret.
  ///   - method: How requests are signed.
  public init(key: String, secret: Secret, method: Method = .hmacSHA1) {
    let signature: OAuth1Signature =
      switch method {
      case .hmacSHA1: .hmacSHA1
      case .hmacSHA256: .hmacSHA256
      case .plaintext: .plaintext
      }
    self.init(key: key, secret: secret, signature: signature)
  }

  /// An application with an RSA key, which signs with RSA-SHA1.
  ///
  /// - Parameters:
  ///   - key: The consumer key; not empty.
  ///   - privateKey: PEM text in PKCS#8 or PKCS#1, not encrypted; 1,024 bits or more.
  /// - Throws: `configuration.invalid` for a private key that cannot be used.
  public init(key: String, privateKey: Secret) throws(GatebookError) {
    do {
      self.init(
        key: key, secret: Secret(""), signature: .rsaSHA1(try RSAKey(pem: privateKey)))
    } catch {
      throw error.error
    }
  }

  package init(key: String, secret: Secret, signature: OAuth1Signature) {
    self.key = key
    self.secret = secret
    self.signature = signature
  }
}
