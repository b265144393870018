internal import GatebookEvents
internal import Testing

@testable internal import GatebookAuthentication

struct PKCETests {
  @Test
  func `the challenge of RFC 7636 appendix B`() throws {
    let vector = try #require(Fixture.read(PackageResources.pkce_s256_json).object)
    let pkce = PKCE(verifier: try #require(vector["verifier"]?.text))
    #expect(pkce.challenge == vector["challenge"]?.text)
  }

  @Test
  func `a verifier is 43 characters of 32 random bytes`() {
    let first = PKCE(random: [UInt8](0..<64)).verifier
    #expect(first.utf8.count == 43)
    #expect(first != PKCE(random: [UInt8](1..<65)).verifier)
  }
}
