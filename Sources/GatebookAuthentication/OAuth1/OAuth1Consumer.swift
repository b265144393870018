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
}

extension OAuth1Consumer {
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

  /// Refuses what no service can have given out.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    guard !key.isEmpty else {
      throw .setting("consumer", "its key is empty.", remedy: "Give the consumer key.")
    }
    if case .rsaSHA1 = signature { return }
    guard !secret.isEmpty, secret.withBytes({ String(validating: $0, as: UTF8.self) }) != nil
    else {
      throw .setting(
        "consumer", "its secret is empty or not UTF-8.", remedy: "Give the consumer secret.")
    }
  }
}

extension OAuth1Consumer: StoredRecord {
  /// Key and secret of the application.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    let key = try facts.required("key", kept?.key)
    let privateKey = facts.optional("privateKey", kept?.signature.privateKey)
    let secret = try facts.required("secret", kept?.secret)
    let name = try facts.required("signature", kept?.signature.name)
    let known: [OAuth1Signature] =
      [.hmacSHA1, .hmacSHA256, .plaintext] + (privateKey.map { [.rsaSHA1($0)] } ?? [])
    guard let signature = known.first(where: { $0.name == name }) else { throw Unreadable() }
    self.init(key: key, secret: secret, signature: signature)
  }
}

extension OAuth1Signature {
  fileprivate var privateKey: RSAKey? {
    if case .rsaSHA1(let key) = self { key } else { nil }
  }
}
