internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct ThumbprintTests {
  private func key() throws -> (key: RSAPublicKey, thumbprint: String) {
    let vectors = Fixture.read(PackageResources.rfc_vectors_json).object
    let vector = try #require(vectors?["rfc7638-3.1"]?.object)
    let members = vector["jwk"]?.object
    let modulus = try #require(members?["n"]?.text.flatMap { Base64URL.decode($0) })
    let exponent = try #require(members?["e"]?.text.flatMap { Base64URL.decode($0) })
    let key = try #require(RSAPublicKey(modulus: modulus, exponent: exponent))
    return (key, try #require(vector["thumbprint"]?.text))
  }

  @Test
  func `a key has the thumbprint of RFC 7638`() throws {
    let (key, thumbprint) = try key()
    #expect(key.thumbprint == thumbprint)
  }

  @Test
  func `a leading zero that a server adds does not change the thumbprint`() throws {
    let (key, thumbprint) = try key()
    let padded = try #require(RSAPublicKey(modulus: [0] + key.modulus, exponent: key.exponent))
    #expect(padded.thumbprint == thumbprint)
  }

  @Test(arguments: [PrivateKeyRefusal.encrypted, .unreadable, .otherAlgorithm, .size, .hash])
  func `a refused key is the error of a setting`(_ refusal: PrivateKeyRefusal) {
    #expect(refusal.error.code == .configurationInvalid)
  }
}
