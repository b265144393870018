internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

/// RFC 6265 sections 5.1.4 and 5.2.4.
@Suite struct PathTests {
  @Test(arguments: [
    ("/", "", "/"), ("/a", "", "/"), ("/a/", "", "/a"), ("/a/b", "", "/a"), ("/a/b/", "", "/a/b"),
    ("/a/b?c/d", "", "/a"), ("/a/b", "Path=/x", "/x"), ("/a/b", "Path=x", "/a"),
    ("/a/b", "Path=", "/a"), ("/a/b", "Path", "/a"), ("/a/b", "Path=/x; Path=", "/a"),
    ("/a/b", "path = /x ", "/x"), ("/a/b", "Path=\"/x\"", "/a"), ("//", "", "/"),
  ])
  func `a path is named or taken from the request`(
    _ request: String, _ attribute: String, _ path: String
  ) throws {
    var jar = CookieJar()
    try jar.take("a=b; \(attribute)", from: "https://www.example.com\(request)")
    #expect(try jar.only()["path"] == .text(path))
  }

  @Test(arguments: [
    ("/", "/", true), ("/", "/a", true), ("/a", "/a", true), ("/a", "/a/", true),
    ("/a", "/a/b", true), ("/a", "/ab", false), ("/a", "/", false), ("/a/", "/a", false),
    ("/a/", "/a/b", true), ("/a", "/A", false), ("/a", "/b/../a", true), ("/a", "/a/../b", false),
    ("/a", "/a?b", true), ("/a", "/a;b", false),
  ])
  func `a cookie goes to its path and below`(
    _ path: String, _ request: String, _ isSent: Bool
  ) throws {
    var jar = CookieJar()
    try jar.take("a=b; Path=\(path)")
    #expect(try (jar.sent(to: "https://www.example.com\(request)") != nil) == isSent)
  }

  @Test func `longer paths come first, then older cookies`() throws {
    var jar = CookieJar()
    try jar.take("c=1; Path=/", "b=2; Path=/", "long=3; Path=/a/b", "a=4; Path=/a", "d=5; Path=/")
    try jar.take("c=6; Path=/")
    #expect(try jar.sent() == "long=3; a=4; c=6; b=2; d=5")
  }
}
