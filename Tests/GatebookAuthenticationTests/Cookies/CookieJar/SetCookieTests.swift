internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

/// RFC 6265 section 5.2 and the rules that 6265bis added.
@Suite struct SetCookieTests {
  @Test(arguments: [
    ("a=b", "a=b"), ("  a \t=  b  ", "a=b"), ("a=b=c", "a=b=c"), ("a=\"b c\"", "a=\"b c\""),
    ("a=b;", "a=b"), ("a=b;;; ;x=y", "a=b"), ("a b=c,d", "a b=c,d"), ("a=ä", "a=ä"),
    ("a=b; Unknown=\(String(repeating: "x", count: 2000))", "a=b"),
    ("a=b\tc", "a=b\tc"),
  ])
  func `name and value are taken as they are`(_ field: String, _ expected: String) throws {
    var jar = CookieJar()
    #expect(try jar.take(field))
    #expect(try jar.sent() == expected)
  }

  @Test(arguments: [
    "", ";", "a", "=", "=b", " =b", "a; b=c", "; a=b", "a=b\r\nc", "a=b\u{0}", "a\u{1F}=b",
    "a=b\u{7F}", "a=b; Path=/\n",
  ])
  func `a cookie without a name or with control characters is ignored`(_ field: String) throws {
    var jar = CookieJar()
    #expect(try !jar.take(field))
    #expect(jar.isEmpty)
  }

  @Test func `a cookie may have 4096 bytes of name and value`() throws {
    var jar = CookieJar()
    #expect(try jar.take("name=\(String(repeating: "x", count: 4092))"))
    #expect(try !jar.take("more=\(String(repeating: "x", count: 4093))"))
    #expect(try !jar.take("wide=\(String(repeating: "ä", count: 2047))"))
    #expect(try jar.only()["name"] == .text("name"))
  }

  @Test func `an attribute above 1024 bytes is ignored`() throws {
    var jar = CookieJar()
    try jar.take("a=b; Path=/\(String(repeating: "x", count: 1024))")
    #expect(try jar.only()["path"] == .text("/a"))
    try jar.take("a=b; Path=/\(String(repeating: "x", count: 1023))")
    #expect(jar.described(at: .noon).list?.count == 2)
  }

  @Test(arguments: [
    ("Secure", ["hostOnly", "secure"]), ("secure=no", ["hostOnly", "secure"]),
    ("HttpOnly; SECURE", ["hostOnly", "httpOnly", "secure"]),
    ("SameSite=Lax", ["hostOnly", "lax"]), ("SameSite=STRICT", ["hostOnly", "strict"]),
    ("SameSite=None; Secure", ["hostOnly", "secure", "none"]), ("SameSite=x", ["hostOnly"]),
  ])
  func `flags are kept`(_ attributes: String, _ flags: [String]) throws {
    var jar = CookieJar()
    try jar.take("a=b; \(attributes)")
    #expect(try jar.only()["flags"] == .list(flags.map(FactValue.text)))
  }

  @Test(arguments: [
    ("__Secure-a=b", false), ("__Secure-a=b; Secure", true), ("__SECURE-a=b", false),
    ("__Secure-a=b; Secure; Domain=example.com", true),
    ("__Host-a=b; Secure; Path=/", true), ("__Host-a=b; Secure", false),
    ("__Host-a=b; Path=/", false), ("__Host-a=b; Secure; Path=/a", false),
    ("__Host-a=b; Secure; Path=/; Domain=www.example.com", false),
    ("__hOsT-a=b; Secure; Path=/; Domain=example.com", false), ("__host-a=b", false),
    ("__Host-\u{301}a=b", false), ("__Hostess=b", true), ("a__Host-=b", true),
  ])
  func `a prefix is a promise`(_ field: String, _ isTaken: Bool) throws {
    var jar = CookieJar()
    #expect(try jar.take(field) == isTaken)
  }

  @Test func `a prefix is refused over http whatever the attributes`() throws {
    var jar = CookieJar()
    try jar.take(
      "__Secure-a=b; Secure", "__Host-a=b; Secure; Path=/", "__Secure-b=c", from: "http://h/")
    #expect(jar.isEmpty)
  }
}
