internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

@Suite struct SecureTests {
  @Test(arguments: ["http://www.example.com/a/b", "http://localhost/", "http://127.0.0.1/"])
  func `a Secure cookie is neither set nor sent over http`(_ url: String) throws {
    var jar = CookieJar()
    #expect(try !jar.take("a=b; Secure; Path=/", from: url))
    let secure = url.replacing("http:", with: "https:")
    #expect(try jar.take("a=b; Secure; Path=/", from: secure))
    #expect(try jar.sent(to: url) == nil)
    #expect(try jar.sent(to: secure) == "a=b")
  }

  @Test(arguments: [
    ("s=evil; Path=/", false), ("s=evil; Path=/login", false), ("s=; Path=/", false),
    ("s=x; Path=/; Max-Age=0", false), ("s=evil; Path=/; Domain=example.com", false),
    ("other=1; Path=/", true),
  ])
  func `http leaves Secure cookies alone`(_ field: String, _ isTaken: Bool) throws {
    var jar = CookieJar()
    try jar.take("s=good; Secure; Path=/")
    #expect(try jar.take(field, from: "http://www.example.com/login") == isTaken)
    #expect(try jar.sent()?.contains("s=good") == true)
    #expect(try jar.sent(to: "https://www.example.com/login")?.contains("evil") == false)
  }

  @Test func `https may replace a Secure cookie by a plain one`() throws {
    var jar = CookieJar()
    try jar.take("s=good; Secure; Path=/")
    #expect(try jar.take("s=plain; Path=/"))
    #expect(try jar.sent(to: "http://www.example.com/") == "s=plain")
  }
}
