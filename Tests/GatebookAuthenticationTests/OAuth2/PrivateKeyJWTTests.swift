internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

/// RFC 7523 section 3 and OpenID Connect Core 1.0 section 9.
struct PrivateKeyJWTTests {
  private static let moment = Moment(
    wall: Timestamp(rawValue: 1_700_000_000_999_999), boot: .zero)

  private func verified(
    _ key: JWSKey, _ publicKey: JSONWebKey, keyID: String?, offset: Duration = .zero
  ) throws -> (assertion: PrivateKeyJWT, token: VerifiedToken) {
    let assertion = try PrivateKeyJWT(
      of: "gatebook", for: "https://issuer.example/token", key: key, keyID: keyID,
      at: Self.moment, offset: offset, random: [UInt8](0..<16))
    let token = try UnverifiedToken(assertion.text)
    return (
      assertion,
      try token.verified(by: JSONWebKeySet([publicKey]), allowing: [key.algorithm])
    )
  }

  @Test
  func `an assertion says who asks whom, for 60 seconds`() throws {
    let key = P256Key.generate()
    let (assertion, token) = try verified(
      .elliptic(key), JSONWebKey(.elliptic(key.publicKey), id: "k"), keyID: "k")
    #expect(
      token.claims.facts == [
        "iss": "gatebook", "sub": "gatebook", "aud": "https://issuer.example/token",
        "jti": "AAECAwQFBgcICQoLDA0ODw", "iat": 1_700_000_000, "exp": 1_700_000_060,
      ])
    #expect(token.header.keyID == "k")
    #expect(token.header.type == "JWT")
    #expect(
      assertion.parameters.map(\.name) == ["client_assertion", "client_assertion_type"])
    #expect(
      assertion.parameters.map(\.value) == [
        assertion.text, "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      ])
  }

  @Test
  func `an RSA key signs with RS256, and the server's offset counts`() throws {
    let key = RSAKey.generate()
    let (_, token) = try verified(
      .rsa(key), JSONWebKey(.rsa(key.publicKey)), keyID: nil, offset: .seconds(5))
    #expect(token.header.algorithm == "RS256")
    #expect(token.header.keyID == nil)
    #expect(token.claims.facts["exp"] == 1_700_000_065)
  }
}
