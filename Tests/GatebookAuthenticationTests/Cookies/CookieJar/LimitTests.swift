internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

@Suite struct LimitTests {
  @Test func `a cookie bomb stops at 64 fields an answer`() throws {
    var jar = CookieJar()
    try jar.take(all: (0..<1000).map { "bomb\($0)=x" })
    let sent = try #require(try jar.sent())
    #expect(sent.split(separator: "; ").map(String.init) == (0..<64).map { "bomb\($0)=x" })
  }

  @Test func `of the largest domain the longest unchanged plain cookie goes first`() throws {
    var jar = CookieJar()
    try jar.take("small=1; Path=/", from: "https://small.example.com/")
    try jar.take("session=1; Path=/; Secure", "plain=1; Path=/", "renewed=1; Path=/")
    for round in 0..<2 {
      try jar.take(all: (0..<64).map { "filler\(round).\($0)=x; Path=/" })
    }
    try jar.take("renewed=2; Path=/")
    try jar.take(all: (0..<50).map { "more\($0)=x; Path=/" })
    let names = try Set(#require(jar.described(at: .noon).list).compactMap { $0.object?["name"] })
    #expect(names.count == 180)
    #expect(names.isSuperset(of: [.text("small"), .text("session"), .text("renewed")]))
    #expect(!names.contains(.text("plain")))
    #expect(!names.contains(.text("filler0.0")))
    #expect(names.contains(.text("filler0.1")))
    #expect(names.contains(.text("more49")))
  }

  @Test func `expired cookies make room first`() throws {
    var jar = CookieJar()
    try jar.take("old=1; Path=/")
    for round in 0..<2 {
      try jar.take(all: (0..<64).map { "brief\(round).\($0)=x; Path=/; Max-Age=1" })
    }
    try jar.take(all: (0..<64).map { "new\($0)=x; Path=/" }, at: .noon + .seconds(2))
    #expect(jar.described(at: .noon).list?.count == 65)
    #expect(try jar.sent()?.hasPrefix("old=1; new0=x") == true)
  }
}
