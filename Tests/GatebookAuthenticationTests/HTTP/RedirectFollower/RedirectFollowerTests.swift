internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

@Suite struct RedirectFollowerTests {
  private func follower(
    _ method: String = "GET", jar: CookieJar = CookieJar(),
    extras: KeyValuePairs<String, String> = [:]
  ) throws -> RedirectFollower {
    let fields = [
      HTTPField("Accept", "*/*"), HTTPField("Content-Type", "text/plain"),
      HTTPField("cookie", "own=1"),
    ]
    let url = try #require(HTTPURL("http://h:81/a/b?q"))
    let request = HTTPRequest(
      method, url, fields: fields, body: [1], isRepeatable: false, limits: .login)
    return RedirectFollower(request, jar: jar, extras: extras)
  }

  private func move(
    _ follower: inout RedirectFollower, _ status: Int, _ location: String?, cookie: String? = nil
  ) throws -> HTTPRequest? {
    var fields: [HTTPField] = []
    if let location { fields.append(HTTPField("location", location)) }
    if let cookie { fields.append(HTTPField("Set-Cookie", cookie)) }
    let reply = HTTPReply(status: status, fields: fields)
    switch try follower.next(reply, at: .noon, suffixes: nil) {
    case .send(let request): return request
    case .arrived(let arrived, _):
      #expect(arrived == reply)
      return nil
    }
  }

  @Test(arguments: [
    (301, "GET", "GET", true), (301, "POST", "GET", false), (301, "HEAD", "HEAD", true),
    (301, "PUT", "PUT", true), (302, "POST", "GET", false), (302, "PUT", "PUT", true),
    (303, "POST", "GET", false), (303, "PUT", "GET", false), (303, "HEAD", "HEAD", true),
    (307, "POST", "POST", true), (308, "POST", "POST", true), (307, "PUT", "PUT", true),
  ])
  func `a redirect keeps or changes the method by its status`(
    _ status: Int, _ method: String, _ expected: String, _ keepsBody: Bool
  ) throws {
    var follower = try follower(method)
    let request = try #require(try move(&follower, status, "../c?d#e"))
    #expect(request.method == expected)
    #expect(request.url.description == "http://h:81/c?d")
    #expect(request.body == (keepsBody ? [1] : []))
    #expect(request.isRepeatable == !keepsBody)
    #expect((request.fields.first("Content-Type") != nil) == keepsBody)
    #expect(request.fields.first("Accept") == "*/*")
    #expect(request.limits == .login)
  }

  @Test(arguments: [200, 204, 300, 304, 305, 306, 401, 404, 500])
  func `any other answer has arrived`(_ status: Int) throws {
    var follower = try follower()
    #expect(try move(&follower, 302, "/c", cookie: "a=b; Path=/") != nil)
    let reply = HTTPReply(status: status, fields: [HTTPField("Location", "/d")])
    guard
      case .arrived(reply, let url) = try follower.next(reply, at: .noon, suffixes: nil)
    else {
      Issue.record("the answer was followed")
      return
    }
    #expect(url.description == "http://h:81/c")
    #expect(follower.jar.header(for: url, at: .noon) == "a=b")
  }

  @Test func `cookies of every answer count and go along`() throws {
    var jar = CookieJar()
    try jar.take("old=1; Path=/", from: "http://h:81/")
    var follower = try follower("POST", jar: jar)
    #expect(follower.request(at: .noon).fields.values(of: "Cookie") == ["old=1"])
    let first = try move(&follower, 302, "/c", cookie: "new=2; Path=/")
    #expect(first?.fields.values(of: "Cookie") == ["old=1; new=2"])
    let second = try move(&follower, 302, "/d", cookie: "old=; Path=/")
    #expect(second?.fields.values(of: "Cookie") == ["old=; new=2"])
    let third = try move(&follower, 302, "/e", cookie: "old=; Path=/; Max-Age=0")
    #expect(third?.fields.values(of: "Cookie") == ["new=2"])
  }

  @Test func `extra cookies are sent until the jar has them`() throws {
    var follower = try follower(extras: ["COOKIE_SUPPORT": "true"])
    #expect(follower.request(at: .noon).fields.first("Cookie") == "COOKIE_SUPPORT=true")
    let first = try move(&follower, 302, "/c", cookie: "id=1; Path=/")
    #expect(first?.fields.first("Cookie") == "COOKIE_SUPPORT=true; id=1")
    let second = try move(&follower, 302, "/c", cookie: "COOKIE_SUPPORT=yes; Path=/")
    #expect(second?.fields.first("Cookie") == "id=1; COOKIE_SUPPORT=yes")
  }

  @Test func `without cookies there is no Cookie field`() throws {
    #expect(try follower().request(at: .noon).fields.values(of: "Cookie").isEmpty)
  }

  @Test(arguments: [
    "http://other:81/?secret", "https://h:81/?secret", "http://h/?secret", "//other/?secret",
  ])
  func `another origin gets nothing`(_ location: String) throws {
    var follower = try follower("POST")
    let error = #expect(throws: GatebookError.self) {
      try move(&follower, 307, location, cookie: "a=b; Path=/")
    }
    #expect(error?.code == .originForeign)
    #expect(error?.description.contains("secret") == false)
  }

  @Test(arguments: [nil, "", "http://", "ftp://h/", "/a b", "/\\other", "javascript:alert(1)"])
  func `a redirect without a usable Location is unexpected`(_ location: String?) throws {
    var follower = try follower()
    let error = #expect(throws: GatebookError.self) { try move(&follower, 302, location) }
    #expect(error?.code == .contentUnexpected)
    #expect(error?.description.contains("?") == false)
  }

  @Test func `two different Locations are unexpected, the same twice is not`() throws {
    for second in ["/c", "/d"] {
      var follower = try follower()
      let fields = [HTTPField("Location", "/c"), HTTPField("Location", second)]
      let reply = HTTPReply(status: 302, fields: fields)
      if second == "/c" {
        #expect(throws: Never.self) { try follower.next(reply, at: .noon, suffixes: nil) }
      } else {
        let expected = GatebookError(.contentUnexpected, "", remedy: "")
        #expect(throws: expected) { try follower.next(reply, at: .noon, suffixes: nil) }
      }
    }
  }

  @Test func `a loop ends after ten redirects`() throws {
    var follower = try follower()
    for _ in 1...10 {
      #expect(try move(&follower, 302, "/a/b?q") != nil)
    }
    let expected = GatebookError(.limitExceeded, "", remedy: "")
    #expect(throws: expected) { try move(&follower, 302, "/a/b?q") }
    #expect(try move(&follower, 200, nil) == nil)
  }
}
