package import GatebookCrypto
package import GatebookEvents

/// The key that an account's tokens are bound to, and what servers want to see in its proofs
/// (RFC 9449).
struct TokenBinding: Sendable {
  /// The account's own key; without it a new login is needed.
  let key: P256Key
  /// The last nonce of each origin (section 8).
  private var nonces: [String: String] = [:]

  init(key: P256Key) {
    self.key = key
  }

  /// The thumbprint for the authorisation request (section 10).
  var thumbprint: String { key.publicKey.thumbprint }

  /// The field of one request.
  ///
  /// - Throws: `configuration.invalid` where this machine does not sign with this key.
  func proof(
    of request: HTTPRequest, accessToken: Secret?, clock: ServerClock, at moment: Moment,
    random: [UInt8]
  ) throws(GatebookError) -> HTTPField {
    try DPoPProof(
      request.method, request.url, accessToken: accessToken,
      nonce: nonces[request.url.origin.description], key: key, at: moment, offset: clock.offset,
      random: random
    ).field
  }

  /// Keeps the nonce of an answer.
  ///
  /// - Returns: Whether it is another one than before.
  mutating func learn(from reply: HTTPReply, of origin: Origin) -> Bool {
    // Section 8.1: the nonce has the characters of NQCHAR.
    guard let nonce = reply.fields.first("DPoP-Nonce"), (1...1024).contains(nonce.utf8.count),
      nonce.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != .quote && $0 != .backslash }),
      nonces[origin.description] != nonce
    else { return false }
    nonces[origin.description] = nonce
    return true
  }
}

extension TokenBinding: StoredRecord {
  /// Key and nonces.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    key = try facts.required("key", kept?.key)
    nonces = try facts.required("nonces", kept?.nonces)
  }
}

/// The proof that the sender of a request holds the key that its token is bound to (RFC 9449).
///
/// Good for one request: every sending makes a new one.
package struct DPoPProof: Sendable {
  /// The field's value: `DPoP: <text>` (section 4.1).
  package let text: String

  /// Makes the proof of one request (section 4.2).
  ///
  /// - Parameters:
  ///   - method: `htm`: the request's method.
  ///   - url: `htu`: the request's URL; its query is left out.
  ///   - accessToken: `ath`: the token that is sent along; `nil` at the token endpoint.
  ///   - nonce: The last nonce that this origin gave; `nil` if it gave none.
  ///   - key: The account's key.
  ///   - moment: Now, by our clock.
  ///   - offset: The server's clock less ours.
  ///   - random: At least 16 fresh random bytes, for `jti`.
  /// - Throws: `configuration.invalid` where this machine does not sign with this key.
  package init(
    _ method: String, _ url: HTTPURL, accessToken: Secret?, nonce: String?, key: P256Key,
    at moment: Moment, offset: Duration = .zero, random: [UInt8]
  ) throws(GatebookError) {
    let hash = accessToken.map { token in
      Base64URL.encode(HashFunction.sha256.hash(token.withBytes { $0 }))
    }
    let claims: Facts = [
      "ath": .optional(hash), "htm": .text(method),
      // Section 4.2: "The HTTP target URI of the request to which the JWT is attached, without
      // query and fragment parts."
      "htu": .text(url.origin.description + url.path),
      "iat": .integer((moment.wall + offset).rawValue / 1_000_000),
      "jti": .text(Base64URL.encode(random.prefix(16))), "nonce": .optional(nonce),
    ]
    text = try JWSKey.elliptic(key).sign(
      claims, header: ["jwk": .object(key.publicKey.members), "typ": "dpop+jwt"])
  }

  /// The field that carries it.
  package var field: HTTPField { HTTPField("DPoP", text) }
}
