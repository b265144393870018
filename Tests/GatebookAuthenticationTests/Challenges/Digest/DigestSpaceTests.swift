internal import GatebookAuthentication
internal import Testing

struct DigestSpaceTests {
  private func space(_ domain: String) throws -> DigestSpace {
    let challenge = AuthenticationChallenge(
      "digest",
      parameters: [.init("realm", "r"), .init("nonce", "n"), .init("domain", domain)])
    return DigestSpace(
      try #require(DigestChallenge(challenge)),
      at: try HTTPURL.at("https://www.example.test").origin)
  }

  @Test(arguments: [
    ("", "/", true), ("", "/a/b?c", true), (" ", "/a", true),
    ("/", "/a", true), ("/a", "/a", true), ("/a", "/a/b", true), ("/a", "/a?b", true),
    ("/a", "/a;b", true), ("/a", "/ab", false), ("/a", "/", false), ("/a", "/b/a", false),
    ("/a/", "/a/b", true), ("/a/", "/a", false), ("/a /b", "/b", true), ("/a /b", "/c", false),
    ("/a", "/%61/b", true), ("/%7Ea", "/~a", true), ("/a", "/b/../a", true),
    ("/a", "/a/../b", false), ("/a?b", "/a?b", true), ("/a?b", "/a", false),
    ("https://www.example.test/a", "/a/b", true), ("https://WWW.example.test:443/a", "/a", true),
    ("https://other.example.test/a", "/a", false), ("http://www.example.test/a", "/a", false),
    ("//www.example.test/a", "/a", false), ("a", "/a", false), ("a /b", "/b", true),
    ("https://other.example.test/", "/", false),
  ])
  func `answers go unasked to the domain or the whole server`(
    _ domain: String, _ target: String, _ expected: Bool
  ) throws {
    let url = try HTTPURL.at("https://www.example.test\(target)")
    #expect(try space(domain).contains(url) == expected)
  }

  @Test(arguments: [
    "http://www.example.test/a", "https://www.example.test:8443/a", "https://example.test/a",
  ])
  func `no other server is in the space`(_ url: String) throws {
    for domain in ["", "/", url] {
      #expect(try !space(domain).contains(.at(url)))
    }
  }
}
