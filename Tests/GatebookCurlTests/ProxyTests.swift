internal import GatebookAuthentication
internal import GatebookEvents
internal import Glibc
internal import Testing

@testable internal import GatebookCurl

@Suite(.timeLimit(.minutes(1)))
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
