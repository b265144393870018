internal import Gatebook

/// The public key that a client registered, from its JWK (RFC 7517 section 4, RFC 7518 section 6.3).
struct RegisteredKey: Hashable, Sendable {
  private let key: RSAPublicKey

  /// Reads a JWK; `nil` when it is no RSA key or of no usable size.
  init?(jwk: PlainJSON) {
    guard jwk["kty"]?.string == "RSA",
      let modulus = jwk["n"]?.string.flatMap({ Base64Text.decodeURL($0) }),
      let exponent = jwk["e"]?.string.flatMap({ Base64Text.decodeURL($0) }),
      let key = RSAPublicKey(modulus: modulus, exponent: exponent)
    else { return nil }
    self.key = key
  }

  /// Whether its owner signed these bytes (RSASSA-PKCS1-v1_5 with SHA-256, RFC 7518 section 3.3).
  func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    key.verify(signature, of: bytes, with: .sha256)
  }
}
