internal import GatebookCrypto
internal import GatebookEvents

extension Ed25519 {
  /// The JWK thumbprint of a public key: base64url of SHA-256 (RFC 8037 appendix A.3).
  static func thumbprint(of publicKey: [UInt8]) -> String {
    let members: Facts = [
      "crv": "Ed25519", "kty": "OKP", "x": .text(Base64URL.encode(publicKey)),
    ]
    return Base64URL.encode(HashFunction.sha256.hash(members.encoded))
  }
}
