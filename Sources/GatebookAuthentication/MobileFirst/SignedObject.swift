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
  ///   - key: The key; its public part stands in the header.
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
