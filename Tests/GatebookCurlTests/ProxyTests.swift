internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Glibc
internal import Testing

@testable internal import GatebookCurl

@Suite(.timeLimit(.minutes(10)))
struct ProxyTests {
  @Test
  func `a named proxy gets the request, whole`() async throws {
    try await RawPeer.run(RawPeer.answering(empty)) { peer in
      let transport = CurlTransport(
        userAgent: nil, proxy: .url("http://u:secret@127.0.0.1:\(peer.port)"))
      let url = try #require(HTTPURL("http://127.0.0.1:1/a?b"))
      #expect(try await transport.send(.get(url)).status == 200)
      #expect(peer.journal.requests.map(\.line) == ["GET http://127.0.0.1:1/a?b HTTP/1.1"])
    }
  }

  @Test
  func `a proxy that refuses the tunnel kept the request from the server`() async throws {
    let refusal = "HTTP/1.1 407 No secret\r\nX-Proxy: 1\r\nContent-Length: 0\r\n\r\n"
    try await RawPeer.run(RawPeer.answering(refusal)) { peer in
      let transport = CurlTransport(
        userAgent: nil, proxy: .url("http://u:secret@127.0.0.1:\(peer.port)"))
      let url = try #require(HTTPURL("https://127.0.0.1:1/a?secret"))
      let failure = try #require(await transport.failure(of: HTTPRequest("POST", url)))
      #expect(failure.error.code == .networkUnreachable)
      #expect(failure.delivery == .notSent)
      #expect(!failure.error.description.contains("secret"))
    }
  }

  private static let refusal =
    "HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm=\"The way out\"\r\n"
    + "Content-Length: 0\r\n\r\n"

  /// Lets those through who are `ada` with the password `secret`; of a tunnel it makes nothing.
  private static func guarding(_ answer: String) -> RawPeer.Script {
    { connection in
      while let request = connection.readRequest() {
        let isKnown = request.lines.contains("Proxy-Authorization: Basic YWRhOnNlY3JldA==")
        connection.send(isKnown ? answer : refusal)
      }
    }
  }

  private static func route(_ peer: RawPeer, port: Int? = nil) -> Route {
    var route = Route(pool: "ada")
    route.proxyCredential = ProxyCredential(
      proxy: Origin(scheme: "http", host: "127.0.0.1", port: port ?? peer.port), user: "ada",
      password: Secret("secret"))
    return route
  }

  @Test
  func `a proxy's question is told, and its credential answers it`() async throws {
    try await RawPeer.run(Self.guarding(empty)) { peer in
      let transport = CurlTransport(userAgent: nil, proxy: .url("127.0.0.1:\(peer.port)"))
      let url = try #require(HTTPURL("http://127.0.0.1:1/a"))
      let failure = try #require(await transport.failure(of: HTTPRequest("POST", url)))
      #expect(failure.error.code == .networkUnreachable)
      #expect(failure.delivery == .notSent)
      #expect(
        failure.proxy
          == ProxyDemand(
            proxy: Origin(scheme: "http", host: "127.0.0.1", port: peer.port),
            offers: [ProxyDemand.Offer(scheme: "basic", realm: "The way out")]))
      let reply = try await transport.send(HTTPRequest("POST", url), through: Self.route(peer))
      #expect(reply.status == 200)
    }
  }

  @Test
  func `the credential of another proxy is not sent`() async throws {
    try await RawPeer.run(Self.guarding(empty)) { peer in
      let transport = CurlTransport(proxy: .url("http://127.0.0.1:\(peer.port)"))
      let url = try #require(HTTPURL("http://127.0.0.1:1/a"))
      await #expect(throws: TransportFailure.self) {
        try await transport.send(.get(url), through: Self.route(peer, port: 1))
      }
      #expect(!peer.journal.requests.contains { $0.head.contains("Proxy-Authorization") })
    }
  }

  @Test
  func `without a proxy its credential goes to no server, and a 407 is the server's own`()
    async throws
  {
    try await RawPeer.run(Self.guarding(empty)) { peer in
      let reply = try await CurlTransport().send(.get(peer.url()), through: Self.route(peer))
      #expect(reply.status == 407)
      #expect(!peer.journal.requests.contains { $0.head.contains("Proxy-Authorization") })
    }
  }

  @Test
  func `the question about a tunnel is told, and only what asks for the tunnel answers it`()
    async throws
  {
    // Known, it is refused for another reason: there is no server behind this proxy.
    let closed = "HTTP/1.1 502 No way\r\nContent-Length: 0\r\n\r\n"
    try await RawPeer.run(Self.guarding(closed)) { peer in
      let transport = CurlTransport(proxy: .url("http://127.0.0.1:\(peer.port)"))
      let url = try #require(HTTPURL("https://127.0.0.1:1/a"))
      let failure = try #require(await transport.failure(of: HTTPRequest("POST", url)))
      #expect(failure.delivery == .notSent)
      #expect(failure.proxy?.proxy.port == peer.port)
      #expect(failure.proxy?.offers == [ProxyDemand.Offer(scheme: "basic")])
      do throws(TransportFailure) {
        _ = try await transport.send(HTTPRequest("POST", url), through: Self.route(peer))
        Issue.record("There is no server.")
      } catch {
        #expect(error.proxy == nil)
        #expect(error.delivery == .notSent)
      }
      #expect(peer.journal.requests.allSatisfy { $0.line.hasPrefix("CONNECT 127.0.0.1:1 ") })
    }
  }

  @Test(arguments: ["http", "https"])
  func `nobody sets the field of a proxy by hand`(scheme: String) async throws {
    let url = try #require(HTTPURL("\(scheme)://127.0.0.1:1/"))
    let request = HTTPRequest(
      "GET", url, fields: [HTTPField("Proxy-Authorization", "Basic YTpi")])
    let failure = try #require(await CurlTransport().failure(of: request))
    #expect(failure.error.code == .configurationInvalid)
  }

  @Test(arguments: [
    ("proxy.test", "http://proxy.test:1080"), ("proxy.test:3128", "http://proxy.test:3128"),
    ("http://u:p@proxy.test:80/x", "http://proxy.test"),
    ("https://proxy.test", "https://proxy.test"),
    ("HTTP://[::1]:8080", "http://[::1]:8080"), ("http://[::1]", "http://[::1]:1080"),
    ("socks5://proxy.test:1080", "-"), ("", "-"),
  ])
  func `a proxy's address is read as libcurl reads it`(url: String, expected: String) {
    let server = Origin(scheme: "https", host: "www.example.test", port: 443)
    let origin = CurlTransport.Proxy.url(url).origin(for: server)
    #expect(origin?.description ?? "-" == expected)
    #expect(CurlTransport.Proxy.none.origin(for: server) == nil)
  }

  @Test
  func `a proxy that is not there sent nothing and is not quoted`() async throws {
    try await withClosedPort { port in
      let transport = CurlTransport(proxy: .url("http://u:secret@127.0.0.1:\(port)"))
      let url = try #require(HTTPURL("http://127.0.0.1:1/"))
      let failure = try #require(await transport.failure(of: HTTPRequest("POST", url)))
      #expect(failure.error.code == .networkUnreachable)
      #expect(failure.delivery == .notSent)
      #expect(!failure.error.description.contains("secret"))
    }
  }

  @Test
  func `the environment's proxy counts only when asked for`() async throws {
    await #expect(processExitsWith: .success) {
      try await RawPeer.run(RawPeer.answering(empty)) { peer in
        setenv("http_proxy", "http://127.0.0.1:\(peer.port)", 1)
        unsetenv("no_proxy")
        unsetenv("NO_PROXY")
        let url = try #require(HTTPURL("http://127.0.0.1:1/"))
        let direct = CurlTransport(proxy: .none)
        let asked = CurlTransport(proxy: .environment)
        try #require(await direct.failure(of: .get(url))?.error.code == .networkUnreachable)
        try #require(await asked.failure(of: .get(url)) == nil)
        try #require(peer.journal.requests.count == 1)
      }
    }
  }
}
