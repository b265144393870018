internal import GatebookAuthentication
internal import Testing

@testable internal import GatebookCurl

/// A handle of libcurl that has served takes nothing of its request to the next.
@Suite(.timeLimit(.minutes(10)))
struct HandleTests {
  private func sent(_ requests: [HTTPRequest]) async throws -> [RawRequest] {
    try await RawPeer.run(RawPeer.answering(empty)) { peer in
      let transport = CurlTransport.forTests()
      for var request in requests {
        request.url = try peer.url(request.url.target)
        _ = try await transport.send(request)
      }
      return peer.journal.requests
    }
  }

  private func request(
    _ method: String, _ path: String, _ fields: [HTTPField] = [], _ body: String = ""
  ) throws -> HTTPRequest {
    let url = try #require(HTTPURL("http://peer.example\(path)"))
    return HTTPRequest(method, url, fields: fields, body: Array(body.utf8))
  }

  @Test
  func `what one request had the next has not`() async throws {
    let secret = HTTPField("Authorization", "Bearer one")
    let requests = try await sent([
      request("GET", "/one?code=1", [secret, HTTPField("Accept", "text/plain")]),
      request("GET", "/two"), request("OPTIONS", "/three", [HTTPField("X-Three", "3")]),
      request("GET", "/four"), request("POST", "/five", [], "five"), request("GET", "/six"),
      request("HEAD", "/seven"), request("DELETE", "/eight"), request("GET", "/nine"),
    ])
    let compression = requests[0].lines.filter { $0.hasPrefix("Accept-Encoding") }
    let heads = requests.map {
      $0.lines.filter { !$0.hasPrefix("Host") && !compression.contains($0) }
    }
    #expect(
      heads == [
        ["GET /one?code=1 HTTP/1.1", "Authorization: Bearer one", "Accept: text/plain"],
        ["GET /two HTTP/1.1"], ["OPTIONS /three HTTP/1.1", "X-Three: 3"], ["GET /four HTTP/1.1"],
        ["POST /five HTTP/1.1", "Content-Length: 4"], ["GET /six HTTP/1.1"],
        ["HEAD /seven HTTP/1.1"], ["DELETE /eight HTTP/1.1"], ["GET /nine HTTP/1.1"],
      ])
    #expect(requests.map { String(decoding: $0.body, as: UTF8.self) }.joined() == "five")
    #expect(requests.allSatisfy { request in compression.allSatisfy(request.lines.contains) })
  }

  @Test
  func `a request that must not be repeated takes a new connection on a handle that has served`()
    async throws
  {
    var once = try request("GET", "/once")
    once.isRepeatable = false
    let again = try request("GET", "/again")
    let connections = try await sent([again, once, again, once]).map(\.connection)
    // Which of the two is free to libcurl.
    #expect([0, 1].contains(connections[2]))
    #expect([connections[0], connections[1], connections[3]] == [0, 1, 2])
  }

  /// Closes each connection on its second request, as a server does whose patience has just ended.
  private static let answeringOnce: RawPeer.Script = { connection in
    guard connection.readRequest() != nil else { return }
    connection.send(empty)
    _ = connection.readRequest()
  }

  @Test
  func `a request on a connection that was closed is sent again, however often that was so`()
    async throws
  {
    try await RawPeer.run(Self.answeringOnce) { peer in
      let transport = CurlTransport.forTests()
      let request = HTTPRequest.get(try peer.url())
      for _ in 0..<10 { #expect(await transport.failure(of: request) == nil) }
      // The first was sent once, and each later one twice.
      #expect(peer.journal.requests.count == 19)
    }
  }

  @Test
  func `a request that failed leaves nothing to the next`() async throws {
    let script: RawPeer.Script = { connection in
      while let request = connection.readRequest() {
        if request.line.contains("broken") { return connection.send("HTTP/1.1 200 OK\r\n") }
        connection.send(empty)
      }
    }
    try await RawPeer.run(script) { peer in
      let transport = CurlTransport.forTests()
      let whole = HTTPRequest.get(try peer.url("/whole"))
      let broken = HTTPRequest.get(try peer.url("/broken"))
      for _ in 0..<3 {
        #expect(await transport.failure(of: whole) == nil)
        #expect(await transport.failure(of: broken) != nil)
      }
      #expect(await transport.failure(of: whole) == nil)
    }
  }
}
