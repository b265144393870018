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
  package var thumbprint: String { members.thumbprint }
}

extension RSAPublicKey {
  /// The key's JWK thumbprint: base64url of SHA-256 (RFC 7638 section 3.1).
  package var thumbprint: String {
    let members: Facts = [
      "e": .text(Base64URL.encode(exponent)), "kty": "RSA",
      "n": .text(Base64URL.encode(modulus)),
    ]
    return members.thumbprint
  }
}

extension Facts {
  /// The hash of a key's required members, "in lexicographic order" and without whitespace (RFC
  /// 7638 section 3.2), as facts are written.
  fileprivate var thumbprint: String { Base64URL.encode(HashFunction.sha256.hash(encoded)) }
}
