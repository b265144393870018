package import GatebookCrypto
internal import GatebookEvents

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
