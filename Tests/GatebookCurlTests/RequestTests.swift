internal import GatebookAuthentication
internal import GatebookCurl
internal import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestTests {
  /// The lines after the request line that the peer saw, without what depends on port and libcurl.
  private func sent(
    _ transport: CurlTransport, _ make: (HTTPURL) -> HTTPRequest, path: String = "/"
  ) async throws -> (line: String, fields: [String], body: [UInt8]) {
    try await RawPeer.run(RawPeer.answering(empty)) { peer in
      _ = try await transport.send(make(try peer.url(path)))
      let request = try #require(peer.journal.requests.first)
      let fields = request.lines.dropFirst().filter {
        !$0.hasPrefix("Host: ") && !$0.hasPrefix("Accept-Encoding: ")
      }
      return (request.line, fields, request.body)
    }
  }

  @Test(arguments: ["GET", "DELETE", "OPTIONS", "HEAD", "PROPFIND"])
  func `a request without body gets no field that was not given`(_ method: String) async throws {
    let seen = try await sent(.forTests()) { HTTPRequest(method, $0) }
    #expect(seen.line == "\(method) / HTTP/1.1")
    #expect(seen.fields.isEmpty)
    #expect(seen.body.isEmpty)
  }

  @Test(arguments: ["POST", "PUT", "PATCH"])
  func `methods with a meaning for a body say that it is empty`(_ method: String) async throws {
    let seen = try await sent(.forTests()) { HTTPRequest(method, $0) }
    #expect(seen.line == "\(method) / HTTP/1.1")
    #expect(seen.fields == ["Content-Length: 0"])
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "GET"])
  func `any method carries a body of any bytes`(_ method: String) async throws {
    let body: [UInt8] = [0, 13, 10, 0, 255, 61, 38]
    let seen = try await sent(.forTests()) { HTTPRequest(method, $0, body: body) }
    #expect(seen.line == "\(method) / HTTP/1.1")
    #expect(seen.fields == ["Content-Length: 7"])
    #expect(seen.body == body)
  }

  @Test
  func `a body larger than any buffer arrives without asking for leave`() async throws {
    let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
    let seen = try await sent(.forTests()) { HTTPRequest("POST", $0, body: body) }
    #expect(seen.fields == ["Content-Length: 3000000"])
    #expect(seen.body == body)
  }

  @Test
  func `header fields keep order, case, duplicates and emptiness`() async throws {
    let fields = [
      HTTPField("X-Z", "1"), HTTPField("x-a", "zwei, ü"), HTTPField("X-Z", "2"),
      HTTPField("X-Empty", ""), HTTPField("X-Blank", "  "), HTTPField("Cookie", "a=b; c=d"),
      HTTPField("Accept", "text/plain"), HTTPField("Content-Type", "text/x"),
      HTTPField("Authorization", "Basic x:y"),
    ]
    let seen = try await sent(.forTests()) { HTTPRequest("GET", $0, fields: fields) }
    #expect(
      seen.fields == [
        "X-Z: 1", "x-a: zwei, ü", "X-Z: 2", "X-Empty:", "X-Blank:", "Cookie: a=b; c=d",
        "Accept: text/plain", "Content-Type: text/x", "Authorization: Basic x:y",
      ])
  }

  @Test
  func `the transport names itself only where the request does not`() async throws {
    let named = CurlTransport(userAgent: "gatebook/9")
    let own = HTTPField("user-agent", "app/1")
    #expect(try await sent(named, { .get($0) }).fields == ["User-Agent: gatebook/9"])
    #expect(
      try await sent(named, { HTTPRequest("GET", $0, fields: [own]) }).fields
        == ["user-agent: app/1"])
  }

  @Test(arguments: [
    "/a//b/%2e%2E/c;p=1?x=%41&y=a+b'&&", "/?", "/?a?b/../c", "/%C3%BC%00", "/a?jsonws={}",
    "//double", "/~user/:@!$&'()*+,;=",
  ])
  func `the target on the wire is the one that was checked`(_ path: String) async throws {
    guard let target = HTTPURL("http://127.0.0.1\(path)")?.target else { return }
    let seen = try await sent(.forTests(), { .get($0) }, path: path)
    #expect(seen.line == "GET \(target) HTTP/1.1")
  }
}
