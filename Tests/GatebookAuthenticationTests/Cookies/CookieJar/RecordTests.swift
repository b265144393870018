internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

@Suite struct RecordTests {
  private func fullJar() throws -> CookieJar {
    var jar = CookieJar()
    try jar.take(
      "a=b; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax", "ü=\"\\ \u{1F511}",
      "d=1; Domain=example.com; SameSite=Strict", "n=1; SameSite=None; Path=/x")
    try jar.take("a=c; Path=/")
    return jar
  }

  @Test func `a record brings everything back`() throws {
    for jar in [CookieJar(), try fullJar()] {
      let read = try #require(Facts(decoding: jar.record.encoded))
      #expect(CookieJar(record: read) == jar)
    }
  }

  @Test func `a jar that was read continues counting`() throws {
    var jar = try #require(CookieJar(record: fullJar().record))
    try jar.take("z=1; Path=/", "a=d; Path=/")
    #expect(try jar.sent(to: "https://www.example.com/") == "a=d; z=1")
  }

  @Test func `anything else is refused`() throws {
    let record = try fullJar().record
    #expect(CookieJar(record: [:]) == nil)
    for name in record.names {
      var broken = record
      broken[name] = nil
      #expect(CookieJar(record: broken) == nil)
    }
    var more = record
    more["more"] = .null
    #expect(CookieJar(record: more) == nil)
    var low = record
    low["next"] = .integer(1)
    #expect(CookieJar(record: low) == nil)
  }

  @Test(arguments: [
    "changed", "created", "domain", "hostOnly", "httpOnly", "name", "path", "secure", "value",
  ])
  func `a cookie without all its facts is refused`(_ name: String) throws {
    var record = try fullJar().record
    var cookies = try #require(record["cookies"]?.list)
    var cookie = try #require(cookies[0].object)
    cookie[name] = nil
    cookies[0] = .object(cookie)
    record["cookies"] = .list(cookies)
    #expect(CookieJar(record: record) == nil)
    cookie[name] = .list([])
    cookies[0] = .object(cookie)
    record["cookies"] = .list(cookies)
    #expect(CookieJar(record: record) == nil)
  }

  @Test func `a change is reported, the same again is none`() throws {
    var jar = CookieJar()
    #expect(try !jar.take())
    #expect(try jar.take("a=b"))
    #expect(try !jar.take("a=b"))
    #expect(try jar.take("a=c"))
    #expect(try jar.take("a=c; HttpOnly"))
    #expect(try jar.take("u=\u{E9}"))
    #expect(try jar.take("u=e\u{301}"))
  }

  @Test func `the list of cookies names everything but values`() throws {
    var jar = CookieJar()
    try jar.take(
      "s=CANARY; Path=/; Max-Age=60; Secure; HttpOnly", "b=CANARY; Domain=example.com; Path=/")
    let expected = FactValue.list([
      .object([
        "domain": .text("example.com"), "flags": .list([]), "name": .text("b"), "path": .text("/"),
      ]),
      .object([
        "domain": .text("www.example.com"),
        "expires": .integer(Timestamp.noon.rawValue + 60_000_000),
        "flags": .list([.text("hostOnly"), .text("httpOnly"), .text("secure")]),
        "name": .text("s"), "path": .text("/"),
      ]),
    ])
    #expect(jar.described(at: .noon) == expected)
    #expect(!"\(jar) \(String(reflecting: jar))".contains("CANARY"))
  }
}
