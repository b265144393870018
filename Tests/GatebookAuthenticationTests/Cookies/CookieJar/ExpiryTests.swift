internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

@Suite struct ExpiryTests {
  private static let past = "Expires=Thu, 01 Jan 2020 00:00:00 GMT"
  private static let future = "Expires=Thu, 01 Jan 2099 00:00:00 GMT"

  @Test(arguments: [
    ("Max-Age=60", 60 as Int?), ("max-AGE = 60 ", 60), ("Max-Age=060", 60),
    ("Max-Age=60; \(past)", 60), ("\(past); Max-Age=60", 60), ("\(future); Max-Age=60", 60),
    ("Max-Age=1; Max-Age=60", 60), ("Max-Age=60; Max-Age=x", 60),
    ("Max-Age=6x", nil), ("Max-Age=+60", nil), ("Max-Age=\"60\"", nil), ("Max-Age=-", nil),
    ("Max-Age=", nil), ("Max-Age", nil), ("Max-Age=6 0", nil),
  ])
  func `Max-Age counts seconds and wins`(_ attributes: String, _ seconds: Int?) throws {
    var jar = CookieJar()
    try jar.take("a=b; \(attributes)")
    let expected = seconds.map {
      FactValue.integer(Timestamp.noon.rawValue + Int64($0) * 1_000_000)
    }
    #expect(try jar.only()["expires"] == expected)
  }

  @Test(arguments: [
    "Max-Age=9223372036854775807", "Max-Age=99999999999999999999999", "Max-Age=9223372036854",
  ])
  func `an endless life ends at the end of time`(_ attributes: String) throws {
    var jar = CookieJar()
    try jar.take("a=b; \(attributes)")
    #expect(try jar.only()["expires"] == .integer(.max))
  }

  @Test(arguments: [
    "a=; Path=/; Max-Age=0", "a=x; Path=/; Max-Age=0", "a=x; Path=/; Max-Age=-1",
    "a=x; Path=/; Max-Age=-99999999999999999999999", "a=x; Path=/; \(past)",
    "a=x; Path=/; Max-Age=0; \(future)",
  ])
  func `what lies in the past deletes`(_ field: String) throws {
    var jar = CookieJar()
    try jar.take("a=b; Path=/", "other=1; Path=/")
    #expect(try jar.take(field))
    #expect(try jar.sent() == "other=1")
    #expect(try !jar.take(field))
  }

  /// RFC 6265 sections 5.2 to 5.4.
  @Test(arguments: ["a=; Path=/", "a= ; Path=/", "a=;Path=/; Max-Age=10"])
  func `an empty value is a value`(_ field: String) throws {
    var jar = CookieJar()
    try jar.take("a=b; Path=/", "other=1; Path=/")
    #expect(try jar.take(field))
    #expect(try jar.sent() == "a=; other=1")
    #expect(try !jar.take(field))
    let again = try #require(CookieJar(record: jar.record))
    #expect(try again.sent() == "a=; other=1")
  }

  @Test func `a cookie is sent until the moment it ends`() throws {
    var jar = CookieJar()
    try jar.take("a=b; Max-Age=10", "s=session")
    let end = Timestamp.noon + .seconds(10)
    #expect(try jar.sent(at: end - .microseconds(1)) == "a=b; s=session")
    #expect(try jar.sent(at: end) == "s=session")
    #expect(jar.described(at: end).list?.count == 1)
    #expect(try jar.take(at: end))
    #expect(try jar.only()["name"] == .text("s"))
  }
}
