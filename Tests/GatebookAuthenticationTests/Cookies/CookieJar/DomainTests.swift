internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

/// RFC 6265 sections 5.1.3, 5.2.3 and 5.3 steps 5 and 6.
@Suite struct DomainTests {
  @Test(arguments: [
    ("www.example.com", "", "www.example.com", true),
    ("www.example.com", "Domain=www.example.com", "www.example.com", false),
    ("www.example.com", "Domain=example.com", "example.com", false),
    ("www.example.com", "Domain=.example.com", "example.com", false),
    ("www.example.com", "Domain=EXAMPLE.Com", "example.com", false),
    ("www.example.com", "Domain=", "www.example.com", true),
    ("www.example.com", "Domain=.", "www.example.com", true),
    ("www.example.com", "Domain", "www.example.com", true),
    ("www.example.com", "Domain=bad.org; Domain=example.com", "example.com", false),
    ("github.io", "Domain=github.io", "github.io", true),
    ("localhost", "Domain=localhost", "localhost", true),
    ("127.0.0.1", "Domain=127.0.0.1", "127.0.0.1", true),
  ])
  func `a domain that the host lies in is taken`(
    _ host: String, _ attribute: String, _ domain: String, _ isHostOnly: Bool
  ) throws {
    var jar = CookieJar()
    try jar.take("a=b; \(attribute)", from: "https://\(host)/")
    let facts = try jar.only()
    #expect(facts["domain"] == .text(domain))
    #expect(facts["flags"] == .list(isHostOnly ? [.text("hostOnly")] : []))
  }

  @Test(arguments: [
    ("www.example.com", "com"), ("www.example.com", ".com"), ("www.example.co.uk", "co.uk"),
    ("user.github.io", "github.io"), ("www.example.com", "other.com"),
    ("www.example.com", "ww.example.com"), ("www.example.com", "a.www.example.com"),
    ("www.example.com", "xample.com"), ("www.example.com", "..example.com"),
    ("www.example.com", "example.com."), ("www.example.com", "exämple.com"),
    ("127.0.0.1", "0.0.1"), ("127.0.0.1", "1"), ("[::1]", "[::1]"),
    ("www.example.com", "example.com; Domain=bad.org"),
  ])
  func `a foreign or public domain is refused`(_ host: String, _ domain: String) throws {
    var jar = CookieJar()
    #expect(try !jar.take("a=b; Domain=\(domain)", from: "https://\(host)/"))
    #expect(jar.isEmpty)
  }

  @Test func `without a list of public suffixes only the host itself is taken`() throws {
    var jar = CookieJar()
    try jar.take("a=b; Domain=example.com", suffixes: nil)
    #expect(jar.isEmpty)
    try jar.take("a=b; Domain=www.example.com", suffixes: nil)
    #expect(try jar.only()["flags"] == .list([.text("hostOnly")]))
  }

  @Test(arguments: [
    ("https://www.example.com/", "h=1; d=2"), ("https://example.com/", "d=2"),
    ("https://a.www.example.com/", "d=2"), ("https://badexample.com/", nil as String?),
    ("https://example.com.evil.org/", nil), ("http://www.example.com:8080/", "h=1; d=2"),
  ])
  func `a cookie goes to its host or its domain`(_ url: String, _ expected: String?) throws {
    var jar = CookieJar()
    try jar.take("h=1; Path=/", "d=2; Path=/; Domain=example.com")
    #expect(try jar.sent(to: url) == expected)
  }

  @Test func `an address is nobody's subdomain`() throws {
    var jar = CookieJar()
    try jar.take("a=b", from: "https://1.1.1.1/")
    #expect(try jar.sent(to: "https://1.1.1.1/") == "a=b")
    #expect(try jar.sent(to: "https://2.1.1.1/") == nil)
    try jar.take("six=1", from: "https://[::1]/")
    #expect(try jar.sent(to: "https://[0:0::1]/") == "six=1")
  }
}
