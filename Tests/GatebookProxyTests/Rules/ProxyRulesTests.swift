import Gatebook
import GatebookProxy
import Testing

struct ProxyRulesTests {
  static let origin = Origin(scheme: "https", host: "api.example", port: 443)

  private static func url(
    _ line: String, _ fields: [String] = ["Host: api.example"],
    _ rules: ProxyRules = ProxyRules(to: origin)
  ) throws(ProxyRefusal) -> String {
    try request(line, fields, rules).url.description
  }

  private static func request(
    _ line: String, _ fields: [String], _ rules: ProxyRules = ProxyRules(to: origin)
  ) throws(ProxyRefusal) -> HTTPRequest {
    let text = (["\(line) HTTP/1.1"] + fields + ["", ""]).joined(separator: "\r\n")
    return try rules.request(for: try SentRequest(text).head)
  }

  @Test(
    arguments: [
      ("/a/b?c=d%20e", "https://api.example/a/b?c=d%20e"),
      ("/", "https://api.example/"),
      ("//evil.example/a", "https://api.example//evil.example/a"),
      ("/\\evil.example", nil),
      ("/a/../../b", "https://api.example/b"),
      ("/@evil.example/", "https://api.example/@evil.example/"),
      ("https://api.example/a", "https://api.example/a"),
      ("http://api.example/a", "https://api.example/a"),
      ("http://API.example:443/a", "https://api.example/a"),
      ("/a#b", nil),
      ("/%zz", nil),
      ("api.example/a", nil),
    ] as [(String, String?)])
  func `a target leads to the proxy's own server alone`(
    _ target: String, _ expected: String?
  ) {
    #expect((try? Self.url("GET \(target)")) == expected)
  }

  @Test(arguments: [
    ("GET https://evil.example/", "Host: api.example", ProxyRefusal.target),
    ("GET http://api.example:8080/", "Host: api.example", .target),
    ("GET http://api.example.evil.example/", "Host: api.example", .target),
    ("GET http://localhost/", "Host: api.example", .target),
    ("GET http://user@api.example/", "Host: api.example", .malformed),
    ("GET ftp://api.example/", "Host: api.example", .malformed),
    ("GET /", "Host: evil.example", .host),
    ("GET /", "Host: api.example.", .malformed),
    ("GET /", "Host: api.example:8443", .host),
    ("GET /", "Host: user@api.example", .malformed),
    ("GET /", "Host: api.example/a", .malformed),
    ("GET /", "Host: api.example, evil.example", .malformed),
    ("GET /", "Host: api.example\r\nHost: api.example", .malformed),
    ("GET /", "X-A: b", .malformed),
    ("CONNECT api.example:443", "Host: api.example:443", .connect),
    ("CONNECT evil.example:443", "Host: evil.example:443", .connect),
    ("TRACE /", "Host: api.example", .trace),
    ("trace /", "Host: api.example", .trace),
    ("TRACK /", "Host: api.example", .trace),
    ("GET /", "Host: api.example\r\nConnection: upgrade\r\nUpgrade: websocket", .upgrade),
    ("GET /", "Host: api.example\r\nUpgrade: h2c, websocket", .upgrade),
    ("POST /", "Host: api.example\r\nExpect: something", .expectation),
    ("GET *", "Host: api.example", .malformed),
  ])
  func `nothing in a request leads elsewhere`(
    _ line: String, _ fields: String, _ expected: ProxyRefusal
  ) {
    #expect(refusal { () throws(ProxyRefusal) in try Self.url(line, [fields]) } == expected)
  }

  @Test(arguments: [
    "api.example", "API.EXAMPLE", "api.example:443", "api.example:80", "localhost",
    "localhost:4711", "127.0.0.1:4711", "[::1]:4711", "127.0.0.1", "[::1]:80",
  ])
  func `a program may name the server or this machine`(_ host: String) throws {
    var rules = ProxyRules(to: Self.origin)
    rules.port = 4711
    #expect(try Self.url("GET /a", ["Host: \(host)"], rules) == "https://api.example/a")
  }

  @Test(arguments: ["localhost:4712", "127.0.0.1:443", "[::1]:81"])
  func `another port of this machine is another server`(_ host: String) throws {
    for port in [nil, 4711] as [UInt16?] {
      for server in [Self.origin, Origin(scheme: "http", host: "127.0.0.1", port: 8000)] {
        var rules = ProxyRules(to: server)
        rules.port = port
        #expect(
          refusal { () throws(ProxyRefusal) in try Self.url("GET /a", ["Host: \(host)"], rules) }
            == .host)
      }
    }
  }

  @Test func `what a program says for itself stays here`() throws {
    let request = try Self.request(
      "GET /",
      [
        "Host: api.example", "Authorization: Bearer own", "authorization: Basic b3duOm93bg==",
        "Cookie: own=1", "Cookie2: own", "Proxy-Authorization: Basic b3du", "DPoP: own",
        "Connection: keep-alive, X-Hop", "X-Hop: own", "Keep-Alive: own", "TE: trailers",
        "Trailer: own", "Proxy-Connection: own", "Upgrade: h2c", "HTTP2-Settings: own",
        "Accept-Encoding: own", "Expect: 100-continue", "X-Kept: 1", "Accept: text/plain",
      ])
    #expect(
      request.fields == [
        HTTPField("X-Kept", "1"), HTTPField("Accept", "text/plain"),
        HTTPField("Accept-Encoding", "identity"), HTTPField("Via", "1.1 gatebook"),
      ])
    #expect(!request.followsRedirects)
  }

  @Test(
    arguments: [
      ("GET", nil), ("HEAD", nil), ("OPTIONS", nil), ("POST", .readOnly), ("PUT", .readOnly),
      ("DELETE", .readOnly), ("PATCH", .readOnly), ("get", .readOnly), ("QUERY", .readOnly),
    ] as [(String, ProxyRefusal?)])
  func `a proxy for reading forwards no change`(_ method: String, _ expected: ProxyRefusal?) {
    var rules = ProxyRules(to: Self.origin)
    rules.isReadOnly = true
    #expect(
      refusal { () throws(ProxyRefusal) in
        try Self.url("\(method) /", ["Host: api.example"], rules)
      } == expected)
    #expect(
      refusal { () throws(ProxyRefusal) in
        try Self.url("\(method) /", ["Host: localhost", "X-HTTP-Method-Override: PUT"], rules)
      } != nil)
  }

  @Test(arguments: [
    ("/api", true), ("/api/", true), ("/api/a", true), ("/api?a=/secret", true),
    ("/api/a/../b", true), ("/apix", false), ("/ap", false), ("/", false), ("/API", false),
    ("/api/../secret", false), ("/api/%2e%2e/secret", false), ("/api/..%2fsecret", false),
    ("/api/..%2Fsecret", false), ("/api/%2e%2e%2fsecret", false), ("/api/..%5csecret", false),
    ("/api/..;/secret", false), ("/api/%2e%2e;a=b/secret", false),
    ("/api/%252e%252e/secret", false), ("/api/..%3b/secret", false), ("/api/..%3B/secret", false),
    ("/api/%2e%2e%3b/secret", false), ("/api/..%20/secret", false), ("/api/%20.%20./secret", false),
    ("/api/..%09/secret", false), ("/api/..%01/secret", false), ("/api/..%c2%a0/secret", false),
    ("/api/%c0%ae%c0%ae/secret", false), ("/api/%ff", false), ("/api/.../secret", false),
    ("/api/a;b", false), ("/api/a%3bb", false), ("/api/a%20b", true),
    ("/api/%c3%a4", true), ("/api/a.b..c", true), ("/api/..a", true), ("/api//a", true),
    ("/api/a%00", false), ("//api/a", false), ("/secret/../api/a", true), ("/v1/", true),
    ("/v1/a", true), ("/v1", false), ("http://api.example/secret", false),
  ])
  func `a proxy for some paths forwards no other`(_ target: String, _ isAllowed: Bool) {
    var rules = ProxyRules(to: Self.origin)
    rules.paths = ["/api", "/v1/"]
    let refused = refusal { () throws(ProxyRefusal) in
      try Self.url("GET \(target)", ["Host: api.example"], rules)
    }
    #expect(refused == (isAllowed ? nil : .path))
    #expect(
      refusal { () throws(ProxyRefusal) in
        try Self.url("GET /api", ["Host: api.example", "X-Original-URL: /secret"], rules)
      } == .path)
  }

  @Test(arguments: [
    "X_HTTP_Method_Override: DELETE", "X-HTTP_Method: DELETE", "X_Original_URL: /secret",
    "X-Original-URI: /secret", "X-Forwarded-Uri: /secret", "X-Override-URL: /secret",
  ])
  func `a field that replaces the method or the path is refused under any limit`(_ field: String) {
    for (isReadOnly, paths) in [(true, []), (false, ["/api"])] {
      var rules = ProxyRules(to: Self.origin)
      rules.isReadOnly = isReadOnly
      rules.paths = paths
      let refused = refusal { () throws(ProxyRefusal) in
        try Self.url("GET /api", ["Host: api.example", field], rules)
      }
      #expect(refused == (isReadOnly ? .readOnly : .path))
    }
  }

  @Test(arguments: [
    "Destination: /secret", "Destination: https://api.example/api/b", "destination: /api/b",
    "x-amz-copy-source: /secret/a", "X_Amz_Copy_Source: /secret/a", "x-ms-copy-source: /secret/a",
    "X-Goog-Copy-Source: /secret/a", "x-ms-rename-source: /secret/a", "X-Copy-From: secret/a",
    "X-Object-Manifest: secret/a",
  ])
  func `a field that names a second path is refused where paths are limited`(_ field: String) {
    var rules = ProxyRules(to: Self.origin)
    func refused() -> ProxyRefusal? {
      refusal { () throws(ProxyRefusal) in
        try Self.url("PUT /api/a", ["Host: api.example", field], rules)
      }
    }
    #expect(refused() == nil)
    rules.paths = ["/api"]
    #expect(refused() == .path)
  }

  @Test func `each request at a port shows the capability`() throws {
    var rules = ProxyRules(to: Self.origin)
    let capability = Capability(random: SystemRandom())
    rules.capability = capability
    let text = capability.text
    #expect(text.utf8.count == 43)
    let pair = Base64.encode(Array("any:\(text)".utf8))
    for (field, isShown) in [
      ("Authorization: Bearer \(text)", true), ("Authorization: bearer \(text)", true),
      ("Proxy-Authorization: Bearer \(text)", true), ("Authorization: Basic \(pair)", true),
      ("Proxy-Authorization: Basic \(pair)", true), ("Authorization: Bearer \(text)x", false),
      ("Authorization: Bearer \(text.dropLast())", false), ("Authorization: Bearer", false),
      ("Authorization: \(text)", false), ("Authorization: Basic \(text)", false),
      ("X-Capability: \(text)", false), ("Cookie: a=\(text)", false), ("X-A: b", false),
    ] {
      let fields = ["Host: localhost", field]
      #expect(
        refusal { () throws(ProxyRefusal) in try Self.url("GET /", fields, rules) }
          == (isShown ? nil : .capability), "\(field.prefix(20))")
    }
    let forwarded = try Self.request(
      "GET /",
      [
        "Host: localhost", "Authorization: Basic \(pair)", "X-Api-Key: \(text)",
        "X-Auth: Bearer \(text)", "X-Basic: Basic \(pair)", "X-Kept: Basic YTpi",
      ], rules)
    #expect(!forwarded.fields.contains { $0.value.contains(text) || $0.value.contains(pair) })
    #expect(forwarded.fields.first("X-Kept") == "Basic YTpi")
  }

  @Test func `a rate lets so many through in a second`() {
    var limit = RateLimit(perSecond: 3)
    let taken = (0..<5).map { _ in limit.takes(at: .seconds(100)) }
    #expect(taken == [true, true, true, false, false])
    let none = limit.takes(at: .milliseconds(100_300))
    #expect(!none)
    let one = limit.takes(at: .milliseconds(100_400))
    #expect(one)
    let later = (0..<4).map { _ in limit.takes(at: .seconds(200)) }
    #expect(later == [true, true, true, false])
  }
}
