package import GatebookCrypto
package import GatebookEvents

/// Signs requests with OAuth 1.0a (RFC 5849 section 3).
package struct OAuth1Signer: Sendable {
  /// The application.
  package var consumer: OAuth1Consumer
  /// The token; `nil` for temporary credentials.
  package var token: OAuth1Token?

  /// Makes a signer.
  package init(_ consumer: OAuth1Consumer, token: OAuth1Token? = nil) {
    self.consumer = consumer
    self.token = token
  }

  /// The request with its `Authorization` field and no other of that name.
  ///
  /// - Parameters:
  ///   - request: The request as it will be sent: nothing of it may change afterwards.
  ///   - stamp: Its time and nonce; a new one for every send.
  ///   - extra: Other protocol parameters, such as `oauth_callback` or `oauth_verifier`.
  ///   - realm: The realm, which is not signed; `nil` leaves it out.
  /// - Returns: The signed request.
  /// - Throws: `login.cleartext` for PLAINTEXT without TLS; `configuration.invalid` where this
  ///   machine signs nothing with SHA-1.
  package func sign(
    _ request: HTTPRequest, stamp: OAuth1Stamp, extra: [OAuth1Parameter] = [],
    realm: String? = nil
  ) throws(GatebookError) -> HTTPRequest {
    try checkTransport(request.url.origin)
    var parameters = protocolParameters(stamp) + extra
    let signature = try consumer.signature.sign(
      OAuth1BaseString.make(request, parameters: parameters), consumerSecret: consumer.secret,
      tokenSecret: token?.secret ?? Secret(""))
    parameters.append(OAuth1Parameter("oauth_signature", signature))
    return request.replacing(HTTPField("Authorization", Self.header(parameters, realm: realm)))
  }

  /// Section 3.4.4: PLAINTEXT "SHOULD only be used with a transport-layer mechanism such as TLS".
  private func checkTransport(_ origin: Origin) throws(GatebookError) {
    guard case .plaintext = consumer.signature, !origin.isSecure, !origin.isLoopback else { return }
    throw .atLogin(
      .loginCleartext, "The secrets of OAuth 1.0a would be sent to \(origin) without TLS.",
      remedy: "Use https, or another signature method.")
  }

  private func protocolParameters(_ stamp: OAuth1Stamp) -> [OAuth1Parameter] {
    var parameters = [OAuth1Parameter("oauth_consumer_key", consumer.key)]
    if let token {
      parameters.append(
        OAuth1Parameter(name: Array("oauth_token".utf8), value: token.token.withBytes { $0 }))
    }
    parameters += [
      OAuth1Parameter("oauth_signature_method", consumer.signature.name),
      OAuth1Parameter("oauth_timestamp", "\(stamp.timestamp)"),
      OAuth1Parameter("oauth_nonce", stamp.nonce),
      OAuth1Parameter("oauth_version", "1.0"),
    ]
    return parameters
  }

  /// Section 3.5.1: names and values encoded, values in quotes.
  private static func header(_ parameters: [OAuth1Parameter], realm: String?) -> String {
    let fields = parameters.map { parameter in
      "\(PercentEncoding.encode(parameter.name).text)=\"\(PercentEncoding.encode(parameter.value).text)\""
    }
    // The realm is a quoted string of RFC 9110 section 5.6.4; a control character has no place in
    // it.
    let realm = realm.map { realm in
      let text = realm.utf8.filter { !$0.isControl }
        .flatMap { $0 == .quote || $0 == .backslash ? [.backslash, $0] : [$0] }
      return ["realm=\"\(text.text)\""]
    }
    return "OAuth " + ((realm ?? []) + fields).joined(separator: ", ")
  }
}

/// How an OAuth 1.0a client proves its secrets (RFC 5849 section 3.4).
package enum OAuth1Signature: Sendable {
  /// Section 3.4.2; what every service of OAuth 1.0a knows.
  case hmacSHA1
  /// As section 3.4.2 with SHA-256: an extension that many services know.
  case hmacSHA256
  /// Section 3.4.3: the key replaces the consumer's secret.
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
    consumerSecret.withBytes { PercentEncoding.encode($0) } + [UInt8(ascii: "&")]
      + tokenSecret.withBytes { PercentEncoding.encode($0) }
  }
}
