import Testing

@testable import GatebookFakes

/// The fake's own Digest check against RFC 7616 section 3.9.1.
@Suite struct DigestAnswerTests {
  private static let front = FakePortalFront(
    realm: "http-auth@example.org", name: "Mufasa", password: "Circle of Life")

  @Test(arguments: [
    (
      "MD5", FakePortalFront.Scheme.md5, "8ca523f5e9506fed4657c9700eebdbec",
      "9b712497bc9f91499fbcca1dfc5f09a5"
    ),
    (
      "SHA-256", .sha256, "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1",
      "86d3b25618d41854ca5039a5d7e53ff6355d5134a9b1fb088a78ac3c462195a0"
    ),
  ])
  func `answer and proof of the standard's example`(
    _ name: String, _ scheme: FakePortalFront.Scheme, _ response: String, _ proof: String
  ) throws {
    let request = LoopbackRequest(
      "GET", "/dir/index.html",
      fields: [
        "Authorization": """
        Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", \
        algorithm=\(name), nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, \
        cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, response="\(response)"
        """
      ])
    let answer = try #require(FakeDigestAnswer(request))
    #expect(answer.count == 1)
    #expect(
      answer.response(Self.front, scheme.hash("GET", "/dir/index.html")) == response)
    #expect(answer.proof(by: Self.front).contains("rspauth=\"\(proof)\""))
  }

  @Test(arguments: [
    "Basic x", "Digest", #"Digest nonce="n", nc=1, qop=auth, cnonce="c""#,
    #"Digest nonce="n", nc=00000001, qop=auth-int, cnonce="c""#,
    #"Digest nonce="n", nc=00000001, qop=auth"#,
    #"Digest algorithm=SHA-512-256, nonce="n", nc=00000001, qop=auth, cnonce="c""#,
    #"Digest nonce="n", nc=0000000g, qop=auth, cnonce="c""#,
  ])
  func `what is no whole answer is not read as one`(_ field: String) {
    #expect(FakeDigestAnswer(LoopbackRequest("GET", "/", fields: ["Authorization": field])) == nil)
  }
}
