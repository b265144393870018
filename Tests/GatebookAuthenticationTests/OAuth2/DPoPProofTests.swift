internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

/// RFC 9449 section 4.2.
struct DPoPProofTests {
  private static let moment = Moment(
    wall: Timestamp(rawValue: 1_562_262_616_999_999), boot: .zero)
  private static let random = [UInt8](0..<16)
  private let key = P256Key.generate()

  private func proof(
    _ method: String = "POST", _ url: String = "https://server.example.com/token",
    accessToken: Secret? = nil, nonce: String? = nil, offset: Duration = .zero
  ) throws -> DPoPProof {
    try DPoPProof(
      method, try .at(url), accessToken: accessToken, nonce: nonce, key: key, at: Self.moment,
      offset: offset, random: Self.random)
  }

  /// The content, once the signature was verified by the key of the header.
  private func claims(_ proof: DPoPProof) throws -> Facts {
    let parts = proof.text.split(separator: ".")
    #expect(parts.count == 3)
    let header = try #require(
      Base64URL.decode(parts[0]).flatMap { JSONDocument.read($0)?.object })
    let (x, y) = (Base64URL.encode(key.publicKey.x), Base64URL.encode(key.publicKey.y))
    // Nothing else: above all no private member.
    #expect(
      header == [
        "alg": "ES256", "typ": "dpop+jwt",
        "jwk": .object(["crv": "P-256", "kty": "EC", "x": .text(x), "y": .text(y)]),
      ])
    let token = try UnverifiedToken(proof.text)
    return try token.verified(
      by: JSONWebKeySet([JSONWebKey(.elliptic(key.publicKey))]), allowing: [.es256]
    ).claims.facts
  }

  @Test
  func `a proof for the token endpoint names the request`() throws {
    #expect(
      try claims(proof()) == [
        "jti": "AAECAwQFBgcICQoLDA0ODw", "htm": "POST", "htu": "https://server.example.com/token",
        "iat": 1_562_262_616,
      ])
  }

  @Test
  func `a proof for a resource names the token by its hash, and the server's nonce`() throws {
    let token = Secret("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")
    let claims = try claims(proof("GET", accessToken: token, nonce: "eyJ7S_zG.eyJH0-Z.HX4w-7v"))
    #expect(claims["ath"] == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
    #expect(claims["nonce"] == "eyJ7S_zG.eyJH0-Z.HX4w-7v")
    #expect(claims["htm"] == "GET")
  }

  @Test(arguments: [
    ("https://a.example/r?q=1", "https://a.example/r"),
    ("https://a.example/r#f", "https://a.example/r"),
    ("https://a.example/r?q=1#f", "https://a.example/r"),
    ("https://A.example", "https://a.example/"),
    ("https://a.example:443/r", "https://a.example/r"),
    ("http://127.0.0.1:8080/r;a=1?b", "http://127.0.0.1:8080/r;a=1"),
  ])
  func `query and fragment are left out`(_ url: String, _ target: String) throws {
    #expect(try claims(proof("GET", url))["htu"] == .text(target))
  }

  @Test
  func `the server's offset counts, and the field is DPoP`() throws {
    let proof = try proof(offset: .seconds(-100))
    #expect(try claims(proof)["iat"] == 1_562_262_516)
    #expect(proof.field == HTTPField("DPoP", proof.text))
  }
}
