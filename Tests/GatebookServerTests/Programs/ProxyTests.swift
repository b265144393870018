internal import Foundation
internal import Testing

/// Real servers that the real `curl` reaches through `gatebook proxy`, without credentials.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct ProxyTests {
  private let gatebook: GatebookTool
  /// In the URLs of one test alone.
  private let mark = UUID().uuidString

  init() throws {
    gatebook = try GatebookTool()
  }

  private var socket: String { gatebook.home + "/run/proxy" }

  /// Starts a proxy, and waits until it serves; it ends with the test.
  private func proxy(_ more: [String] = []) throws -> RunningTool {
    let tool = try gatebook.start(["proxy", "--socket", socket] + more)
    _ = try tool.word(after: "Requests go to ")
    return tool
  }

  /// What curl prints; `%{http_code}` follows the body.
  private func ask(_ path: String, _ more: [String] = []) throws -> String {
    let result = try Curl.run(
      ["--unix-socket", socket, "--write-out", "%{http_code}"] + more + ["http://localhost\(path)"])
    try #require(result.status == 0, "\(path): \(result.errors)")
    return result.output
  }

  @Test(arguments: ServerLogin.each)
  func `the server sees the person, and the program sees no secret`(_ login: ServerLogin) throws {
    let apache = try ApacheServer.shared()
    _ = try gatebook.object(login.command(apache), answers: [login.password])
    let running = try proxy()
    let path = "\(login.path)?\(mark)"
    // What the program claims to be counts for nothing.
    for own in [[], ["--user", "bob:wrong"], ["--cookie", "gb_session=own"]] {
      #expect(try ask(path, own) == login.secret + "200")
    }
    let head = try ask(path, ["--head"]).lowercased()
    #expect(head.hasPrefix("http/1.1 200 "))
    for field in ["set-cookie", "authentication-info", "authorization", "www-authenticate"] {
      #expect(!head.contains("\r\n\(field)"), "\(head)")
    }
    let requests = try apache.requests(with: mark)
    #expect(requests.count { $0.hasSuffix(" 200") } == 4, "\(requests)")
    #expect(requests.allSatisfy { $0.hasPrefix("\(login.user) ") || $0.hasSuffix(" 401") })
    running.kill()
    #expect(try gatebook.files(holding: [login.password]).isEmpty)
  }

  /// A server that was started again takes no nonce of before: it asks before each body.
  @Test func `Digest sends each body whole, also where the server asks first`() throws {
    let apache = try ApacheServer.own(["DIGEST_TTL": "300"])
    let login = ServerLogin(
      method: .http, path: "/digest/", user: "alice", password: "alice-pass-1")
    _ = try gatebook.object(login.command(apache), answers: [login.password])
    let running = try proxy()
    // From here on the proxy knows a nonce.
    #expect(try ask("/digest/") == login.secret + "200")
    let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    let file = gatebook.home + "/body"
    try body.write(to: URL(filePath: file))
    for (name, more) in [
      ("length", ["-H", "Expect:"]), ("expect", ["-H", "Expect: 100-continue"]),
      ("chunks", ["-H", "Transfer-Encoding: chunked", "-H", "Expect:"]),
    ] {
      try apache.stop()
      try apache.startAgain()
      let path = "/digest/files/\(name)?\(mark)"
      #expect(try ask(path, ["-o", "/dev/null", "--upload-file", file] + more) == "201", "\(name)")
      let copy = gatebook.home + "/copy-\(name)"
      #expect(try ask(path, ["-o", copy]) == "200")
      #expect(try Data(contentsOf: URL(filePath: copy)) == body, "\(name)")
    }
    let requests = try apache.requests(with: mark)
    for name in ["length", "expect", "chunks"] {
      let path = "alice /digest/files/\(name)?\(mark)"
      #expect(
        requests.filter { $0.hasPrefix(path) }.sorted() == [
          "\(path) 200", "\(path) 201", "\(path) 401",
        ])
    }
    running.kill()
    #expect(try gatebook.object(["whoami"])["state"]?.text == "active")
  }

  @Test(arguments: [OAuth1Call.Signature.hmacSHA1, .hmacSHA256, .rsaSHA1])
  func `OAuth 1.0a signs queries and forms as they are sent, also in chunks`(
    _ signature: OAuth1Call.Signature
  ) throws {
    let server = try OAuth1Server.shared()
    let login = try gatebook.start(
      server.login(signature), answers: [OAuth1Server.consumerSecret])
    _ = try Person.bob.visit(login.page(), following: true)
    let ending = try login.end()
    try #require(ending.status == 0, "\(ending.errors)")
    let running = try proxy()
    let chunks = ["-H", "Transfer-Encoding: chunked"]
    let values = "q=a%20b&q=%C5%BEofie&b=&a=%2B%26%3D&c%5B%5D=x+y"
    for (path, more) in [
      ("/api/me", []), ("/api/me/second?\(values)", []), ("/api/me/second?a=0", ["-d", values]),
      ("/api/me/second?a=0", ["-d", values] + chunks),
      ("/api/me/second", ["--data-binary", "a=" + String(repeating: "b", count: 100_000)]),
      ("/api/me", ["-H", "Content-Type: application/json", "-d", #"{"a":"b&c=d"}"#] + chunks),
    ] {
      let answer = try ask(path, more + ["-H", "Authorization: OAuth oauth_token=\"own\""])
      #expect(answer.hasSuffix("200"), "\(path) \(more.prefix(2)): \(answer)")
      #expect(try JSONObject(String(answer.dropLast(3)))["user"]?.text == "bob")
    }
    running.kill()
    #expect(try gatebook.files(holding: [OAuth1Server.consumerSecret]).isEmpty)
  }
}
