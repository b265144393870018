package import GatebookCrypto
package import GatebookEvents

extension ECPublicKey {
  /// The members of the key as a JSON Web Key, public ones only (RFC 7518 section 6.2.1).
  package var members: Facts {
    [
      "crv": .text(curve.rawValue), "kty": "EC", "x": .text(Base64URL.encode(x)),
      "y": .text(Base64URL.encode(y)),
    ]
  }

  /// The key's JWK thumbprint: base64url of SHA-256 (RFC 7638 section 3.2).
  ///
  /// It is `jkt` of DPoP (RFC 9449 section 6.1).
  package var thumbprint: String {
    // Facts are written in order and without whitespace, as section 3.3 asks.
    Base64URL.encode(HashFunction.sha256.hash(members.encoded))
  }
}

extension Ed25519 {
  /// The JWK thumbprint of a public key: base64url of SHA-256 (RFC 8037 appendix A.3).
  static func thumbprint(of publicKey: [UInt8]) -> String {
    let members: Facts = [
      "crv": "Ed25519", "kty": "OKP", "x": .text(Base64URL.encode(publicKey)),
    ]
    return Base64URL.encode(HashFunction.sha256.hash(members.encoded))
  }
}

extension RSAPublicKey {
  /// The key's JWK thumbprint: base64url of SHA-256 (RFC 7638 section 3.1).
  package var thumbprint: String {
    // RFC 7638 section 3.2: the required members "in lexicographic order", without whitespace.
    let members = """
      {"e":"\(Base64URL.encode(exponent))","kty":"RSA","n":"\(Base64URL.encode(modulus))"}
      """
    return Base64URL.encode(HashFunction.sha256.hash(Array(members.utf8)))
  }
}
