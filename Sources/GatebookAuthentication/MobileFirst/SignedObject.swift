internal import GatebookCrypto
internal import GatebookEvents

/// A JSON Web Signature with RS256, its key in its own header (RFC 7515; section 6.1).
struct SignedObject {
  /// `{"alg":"RS256","jwk":{…}}`, base64url.
  let header: String
  /// The content, base64url.
  let payload: String
  /// The signature over `header.payload`, base64url.
  let signature: String

  /// Signs a content.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - key: The key; its public part is in the header.
  ///   - keyID: `kid` of that public part, the client's id; `nil` before it has one.
  /// - Throws: `configuration.invalid` where this machine signs with no SHA-256.
  init(_ content: Facts, key: RSAKey, keyID: String?) throws(GatebookError) {
    let head: Facts = [
      "alg": "RS256",
      "jwk": .object([
        "e": .text(Base64URL.encode(key.publicKey.exponent)), "kid": .optional(keyID),
        "kty": "RSA", "n": .text(Base64URL.encode(key.publicKey.modulus)),
      ]),
    ]
    header = Base64URL.encode(head.encoded)
    payload = Base64URL.encode(content.encoded)
    do throws(PrivateKeyRefusal) {
      signature = Base64URL.encode(
        try key.sign(Array("\(header).\(payload)".utf8), with: .sha256))
    } catch {
      throw error.error
    }
  }

  /// The compact form (RFC 7515 section 7.1).
  var compact: String { "\(header).\(payload).\(signature)" }
}

/// A client's signed word that it is itself (section 6.3).
///
/// Unlike RFC 7523, `iat` and `exp` are milliseconds, and `aud` is the route.
struct ClientAssertion {
  static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
  /// How long one is good for.
  static let lifetimeInMilliseconds: Int64 = 60_000

  /// The compact form.
  let text: String

  /// Signs an assertion.
  ///
  /// - Parameters:
  ///   - registration: Who signs; its offset makes our time the server's.
  ///   - code: `jti` of a token request, which also gets an audience; `nil` for a logout.
  ///   - moment: Now, by our clock.
  /// - Throws: `configuration.invalid` where this machine signs with no SHA-256.
  init(
    of registration: ClientRegistration, code: String?, at moment: Moment
  ) throws(GatebookError) {
    let issued = (moment.wall + .milliseconds(registration.offset)).rawValue / 1000
    let content: Facts = [
      "aud": code == nil ? .null : "az/v1/token",
      "exp": .integer(issued + Self.lifetimeInMilliseconds),
      "iat": .integer(issued), "iss": .text(registration.app.issuer),
      "jti": code.map { .text($0) } ?? .null, "sub": .text(registration.clientID),
    ]
    text = try SignedObject(content, key: registration.key, keyID: registration.clientID).compact
  }

  /// The two parameters of a form that carry it.
  var parameters: [(name: String, value: String)] {
    [("client_assertion", text), ("client_assertion_type", Self.type)]
  }
}
