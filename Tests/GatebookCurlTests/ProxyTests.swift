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

  /// The 407 of a request without a tunnel may have come from behind the proxy.
  @Test(arguments: [("GET", false), ("POST", true), ("PUT", true), ("DELETE", true)])
  func `a proxy's question is reported, and its credential answers it`(
    method: String, isDoubtful: Bool
  ) async throws {
    try await RawPeer.run(Self.guarding(empty)) { peer in
      let transport = CurlTransport(userAgent: nil, proxy: .url("127.0.0.1:\(peer.port)"))
      let url = try #require(HTTPURL("http://127.0.0.1:1/a"))
      let failure = try #require(await transport.failure(of: HTTPRequest(method, url)))
      #expect(failure.error.code == .networkUnreachable)
      #expect(failure.delivery == (isDoubtful ? .maybeSent : .notSent))
      #expect(
        failure.proxy
          == ProxyDemand(
            proxy: Origin(scheme: "http", host: "127.0.0.1", port: peer.port),
            offers: [ProxyDemand.Offer(scheme: "basic", realm: "The way out")]))
      let reply = try await transport.send(HTTPRequest(method, url), through: Self.route(peer))
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
  func `the question about a tunnel is reported, and only what asks for the tunnel answers it`()
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
        let url = try #require(HTTPURL("http://server.invalid/"))
        let direct = CurlTransport(proxy: .none)
        let asked = CurlTransport(proxy: .environment)
        let alone = await direct.failure(of: .get(url), through: .permitted)
        try #require(alone?.error.code == .networkUnreachable)
        try #require(alone?.error.message.contains("proxy") == false)
        try #require(await asked.failure(of: .get(url), through: .permitted) == nil)
        try #require(peer.journal.requests.count == 1)
      }
    }
  }

  @Test
  func `a 407 that asks nothing is none of a proxy's, and goes to the caller`() async throws {
    let odd = "HTTP/1.1 407 What\r\nContent-Length: 0\r\n\r\n"
    try await RawPeer.run(RawPeer.answering(odd)) { peer in
      let transport = CurlTransport(proxy: .url("http://127.0.0.1:\(peer.port)"))
      let url = try #require(HTTPURL("http://127.0.0.1:1/a"))
      #expect(try await transport.send(HTTPRequest("POST", url)).status == 407)
    }
  }

  @Test
  func `who the environment excepts is asked directly, and its 407 is its own`() async throws {
    await #expect(processExitsWith: .success) {
      try await RawPeer.run(RawPeer.answering(refusal)) { peer in
        setenv("http_proxy", "http://127.0.0.1:1", 1)
        setenv("no_proxy", "127.0.0.1", 1)
        let transport = CurlTransport(proxy: .environment)
        try #require(await transport.send(.get(peer.url())).status == 407)
        let asked = await transport.failure(
          of: .get(try #require(HTTPURL("http://192.0.2.1/"))), through: .permitted)
        try #require(asked?.error.code == .networkUnreachable)
        try #require(asked?.error.message.contains("the proxy http://127.0.0.1:1,") == true)
        try #require(peer.journal.requests.map(\.line) == ["GET / HTTP/1.1"])
      }
    }
  }

  @Test
  func `the environment's variables are taken as curl takes them`() async {
    await #expect(processExitsWith: .success) {
      for (variables, scheme, expected) in variables {
        for name in ["http", "https", "all", "no"] {
          unsetenv("\(name)_proxy")
          unsetenv("\(name)_proxy".uppercased())
        }
        for variable in variables {
          let parts = variable.split(separator: "=", omittingEmptySubsequences: false)
          setenv(String(parts[0]), "\(parts[1])", 1)
        }
        let server = Origin(scheme: scheme, host: "www.example.test", port: 443)
        let proxy = CurlTransport.Proxy.environment
        try #require(proxy.place(for: server) ?? "-" == expected, "\(variables) \(scheme)")
        for host in ["localhost", "files.localhost", "127.0.0.1", "127.9.9.9", "::1"] {
          let own = Origin(scheme: scheme, host: host, port: 443)
          try #require(proxy.address(for: own) == nil, "\(variables) \(host)")
        }
      }
    }
  }

  @Test
  func `nothing passes the environment's proxy without TLS unless the route allows it`() async {
    await #expect(processExitsWith: .success) {
      try await RawPeer.run(RawPeer.answering(empty)) { peer in
        for name in ["http_proxy", "https_proxy"] {
          setenv(name, "http://ada:s3cret@127.0.0.1:\(peer.port)", 1)
        }
        unsetenv("no_proxy")
        unsetenv("NO_PROXY")
        let transport = CurlTransport(proxy: .environment)
        let url = try #require(HTTPURL("http://server.invalid/a"))
        let refused = try #require(await transport.failure(of: HTTPRequest("POST", url)))
        try #require(refused.error.code == .loginCleartext)
        try #require(refused.delivery == .notSent)
        try #require(!refused.error.description.contains("s3cret"))
        try #require(peer.journal.requests.isEmpty)
        try #require(await transport.failure(of: .get(url), through: .permitted) == nil)
        try #require(
          peer.journal.requests.last?.lines.contains("Proxy-Authorization: Basic YWRhOnMzY3JldA==")
            == true)
        // With TLS there is a tunnel, which nobody has to allow.
        let secure = try #require(HTTPURL("https://server.invalid/a"))
        _ = await transport.failure(of: .get(secure))
        try #require(peer.journal.requests.last?.line == "CONNECT server.invalid:443 HTTP/1.1")
        // A proxy that was named by its address was named on purpose.
        let named = CurlTransport(proxy: .url("http://127.0.0.1:\(peer.port)"))
        try #require(await named.failure(of: .get(url)) == nil)
      }
    }
  }

  /// libcurl quotes some of these addresses in its words.
  @Test(
    arguments: [
      "foo://ada:s3cret@127.0.0.1:1", "http://ada:s3cret@127.0.0.1:x", "http://ada:s3cret@[::",
      "http://ada:s3cret@proxy.invalid:1", "socks5://ada:s3cret@127.0.0.1:1",
      "socks4://ada:s3cret@proxy.invalid", "https://ada:s3cret@127.0.0.1:1",
      "http://ada:s3%63ret@127.0.0.1:1", "ada:s3cret@127.0.0.1:1", "http://s3cret@@127.0.0.1:1",
      "http://ada:s3cret @127.0.0.1:1",
    ], ["http", "https"])
  func `what is secret in a proxy's address is in no error`(
    _ proxy: String, _ scheme: String
  )
    async
    throws
  {
    let transport = CurlTransport(proxy: .url(proxy))
    let url = try #require(HTTPURL("\(scheme)://server.invalid/"))
    let failure = try #require(await transport.failure(of: HTTPRequest("POST", url)))
    #expect(failure.delivery == .notSent)
    for part in ["s3cret", "s3%63ret", "ada"] {
      #expect(!failure.error.description.contains(part), "\(failure.error)")
    }
  }

  @Test
  func `the exceptions of the environment are read as libcurl reads them`() async {
    await #expect(processExitsWith: .success) {
      for (list, host, isDirect) in exceptions {
        setenv("http_proxy", "http://proxy.test:3128", 1)
        setenv("NO_PROXY", list, 1)
        unsetenv("no_proxy")
        let server = Origin(scheme: "http", host: host, port: 80)
        let proxy = CurlTransport.Proxy.environment
        try #require((proxy.origin(for: server) == nil) == isDirect, "\(list) \(host)")
        // A named proxy counts whatever the environment says.
        try #require(CurlTransport.Proxy.url("proxy.test").origin(for: server) != nil)
        // The name in small letters counts first, where it is not empty.
        setenv("no_proxy", "", 1)
        try #require((proxy.origin(for: server) == nil) == isDirect, "\(list) \(host)")
        setenv("no_proxy", "nobody.test", 1)
        try #require(proxy.origin(for: server) != nil, "\(list) \(host)")
      }
    }
  }
}

private let refusal =
  "HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm=\"The way out\"\r\n"
  + "Content-Length: 0\r\n\r\n"

private let variables: [(variables: [String], scheme: String, expected: String)] = [
  ([], "http", "-"), ([], "https", "-"),
  (["http_proxy=http://p.test:3128"], "http", "http://p.test:3128"),
  (["http_proxy=http://p.test:3128"], "https", "-"),
  // A web server's script has what a visitor sends as `Proxy:` in this variable.
  (["HTTP_PROXY=http://p.test:3128"], "http", "-"),
  (["https_proxy=http://p.test:3128"], "https", "http://p.test:3128"),
  (["https_proxy=http://p.test:3128"], "http", "-"),
  (["HTTPS_PROXY=http://p.test:3128"], "https", "http://p.test:3128"),
  (["HTTPS_PROXY=http://a.test:1", "https_proxy=http://b.test:1"], "https", "http://b.test:1"),
  (["HTTPS_PROXY=http://a.test:1", "https_proxy="], "https", "http://a.test:1"),
  (["all_proxy=http://p.test:1"], "http", "http://p.test:1"),
  (["ALL_PROXY=http://p.test:1"], "http", "http://p.test:1"),
  (["ALL_PROXY=socks5h://p.test:1"], "https", "socks5h://p.test:1"),
  (["ALL_PROXY=http://a.test:1", "https_proxy=http://b.test:1"], "https", "http://b.test:1"),
  (["ALL_PROXY=http://a.test:1", "all_proxy=http://b.test:1"], "http", "http://b.test:1"),
  (["ALL_PROXY=http://a.test:1", "no_proxy=example.test"], "http", "-"),
  (["ALL_PROXY=http://a.test:1", "NO_PROXY=*"], "https", "-"),
  (["ALL_PROXY=http://u:p@a.test:1/x"], "https", "http://a.test:1"),
]

private let exceptions: [(list: String, host: String, isDirect: Bool)] = [
  ("", "www.example.test", false), ("*", "www.example.test", true),
  (" * ", "www.example.test", false), ("*.test", "www.example.test", false),
  ("www.example.test", "www.example.test", true), ("example.test", "www.example.test", true),
  (".example.test", "www.example.test", true), (".example.test", "example.test", true),
  ("ample.test", "www.example.test", false), ("www.example.test", "example.test", false),
  ("WWW.Example.Test", "www.example.test", true), ("example.test.", "www.example.test", true),
  ("example.test", "www.example.test.", true),
  ("other.test, example.test", "www.example.test", true),
  ("other.test example.test", "www.example.test", true), ("a.test,,", "www.example.test", false),
  ("10.0.0.1", "10.0.0.1", true), ("0.0.1", "10.0.0.1", false), ("10.0.0.1", "10.0.0.11", false),
  ("10.0.0.0/8", "10.200.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
  ("10.0.0.128/25", "10.0.0.127", false), ("10.0.0.0/33", "10.0.0.0", false),
  ("fd00::1", "fd00::1", true), ("[fd00::1]", "fd00::1", true),
  ("fd00:0:0:0:0:0:0:1", "fd00::1", true), ("fe80::/10", "fe80::7", true),
  ("fe80::/10", "fd00::1", false), ("1", "fd00::1", false),
]
