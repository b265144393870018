internal import GatebookCrypto

/// The public key of a client, from its JWK (RFC 7517 section 4, RFC 7518 section 6).
enum RegisteredKey: Hashable, Sendable {
  /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 section 3.3).
  case rs256(RSAPublicKey)
  /// ECDSA on P-256 with SHA-256 (RFC 7518 section 3.4).
  case es256(ECPublicKey)

  /// Reads an RSA key; `nil` when it is none or of no usable size.
  init?(rsa jwk: PlainJSON) {
    guard jwk["kty"]?.string == "RSA", let modulus = Self.bytes("n", jwk),
      let exponent = Self.bytes("e", jwk),
      let key = RSAPublicKey(modulus: modulus, exponent: exponent)
    else { return nil }
    self = .rs256(key)
  }

  /// Reads a key on P-256; `nil` when it is none.
  init?(p256 jwk: PlainJSON) {
    guard jwk["kty"]?.string == "EC", jwk["crv"]?.string == "P-256",
      let x = Self.bytes("x", jwk), let y = Self.bytes("y", jwk),
      let key = ECPublicKey(curve: .p256, x: x, y: y)
    else { return nil }
    self = .es256(key)
  }

  /// How its owner signs, by its name in a JWS.
  var algorithm: String {
    switch self {
    case .rs256: "RS256"
    case .es256: "ES256"
    }
  }

  /// Whether its owner signed these bytes.
  func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    switch self {
    case .rs256(let key):
      key.verify(
        signature, of: bytes, with: .sha256, trustedBits: RSAPublicKey.bits.lowerBound)
    case .es256(let key): key.verify(signature, of: bytes)
    }
  }

  private static func bytes(_ name: String, _ jwk: PlainJSON) -> [UInt8]? {
    jwk[name]?.string.flatMap { Base64Text.decodeURL($0) }
  }
}
