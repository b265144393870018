internal import GatebookAuthentication
internal import GatebookCurl
internal import GatebookEvents
internal import Testing

@Suite(.timeLimit(.minutes(10)))
struct DeliveryTests {
  @Test
  func `a refused connection sent nothing`() async throws {
    try await withClosedPort { port in
      let url = try #require(HTTPURL("http://127.0.0.1:\(port)/?token=secret"))
      let failure = await CurlTransport.forTests().failure(of: HTTPRequest("POST", url))
      #expect(failure?.error.code == .networkUnreachable)
      #expect(failure?.delivery == .notSent)
      #expect(failure?.error.message.contains(url.origin.description) == true)
      #expect(failure?.error.description.contains("secret") == false)
    }
  }

  @Test
  func `a failed TLS handshake sent nothing`() async throws {
    let script: RawPeer.Script = {
      $0.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      $0.readUntilClose()
    }
    try await RawPeer.run(script) { peer in
      let request = HTTPRequest("POST", try peer.url(scheme: "https"))
      let failure = await CurlTransport.forTests().failure(of: request)
      #expect(failure?.error.code == .tlsUntrusted)
      #expect(failure?.delivery == .notSent)
    }
  }

  /// What a server may do instead of answering properly.
  enum Fault: CaseIterable {
    case silence, interim, halfStatus, halfHeader, headerWithoutEnd, halfBody, halfChunk, noHTTP,
      strangeStatus, switchedProtocol
    case unknownEncoding, brokenGzip, nulInHeader

    var bytes: String {
      switch self {
      case .silence: ""
      case .interim: "HTTP/1.1 100 Continue\r\n\r\n"
      case .halfStatus: "HTTP/1.1 20"
      case .headerWithoutEnd: "HTTP/1.1 200 OK\r\nX-A: 1\r\n"
      case .halfHeader: "HTTP/1.1 200 OK\r\nX-A: "
      case .halfBody: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"
      case .halfChunk: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nhalf"
      case .noHTTP: "SSH-2.0-OpenSSH_9.2 secret-of-the-server\r\n"
      case .strangeStatus: "HTTP/1.1 999 Denied\r\nContent-Length: 0\r\n\r\n"
      case .switchedProtocol: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"
      case .unknownEncoding:
        "HTTP/1.1 200 OK\r\nContent-Encoding: secret-of-the-server\r\nContent-Length: 1\r\n\r\nx"
      case .brokenGzip:
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\nnot gzip at a"
      case .nulInHeader: "HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 0\r\n\r\n"
      }
    }

    var code: FailureCode {
      switch self {
      case .silence, .interim, .halfStatus, .halfHeader, .headerWithoutEnd, .halfBody, .halfChunk:
        .networkUnreachable
      default: .contentUnexpected
      }
    }
  }

  @Test(arguments: Fault.allCases)
  func `a broken answer on a fresh connection leaves the outcome open`(
    _ fault: Fault
  ) async throws {
    let script: RawPeer.Script = { connection in
      guard connection.readRequest() != nil else { return }
      connection.send(fault.bytes)
    }
    try await RawPeer.run(script) { peer in
      let request = HTTPRequest(
        "POST", try peer.url("/login?token=secret"),
        fields: [HTTPField("Authorization", "Bearer secret")], body: Array("secret".utf8))
      let failure = try #require(await CurlTransport.forTests().failure(of: request))
      #expect(failure.error.code == fault.code, "\(failure)")
      #expect(failure.delivery == .maybeSent)
      #expect(failure.error.kept == "The session is kept.")
      #expect(!failure.error.description.contains("secret"))
      #expect(!failure.error.description.contains("login"))
      #expect(peer.journal.requests.count == 1)
    }
  }

  /// Answers the first request of the first connection; closes without a word after every other
  /// POST and after the second request of the first connection.
  private static let closesReused: RawPeer.Script = { connection in
    var isFirst = connection.index == 0
    while let request = connection.readRequest() {
      guard isFirst || (connection.index > 0 && request.line.hasPrefix("GET")) else { return }
      isFirst = false
      connection.send(empty)
    }
  }

  private func second(
    _ method: String, isRepeatable: Bool?
  ) async throws -> (failure: TransportFailure?, seen: [String]) {
    try await RawPeer.run(Self.closesReused) { peer in
      let transport = CurlTransport.forTests()
      _ = try await transport.send(.get(try peer.url("/first")))
      let failure = await transport.failure(
        of: HTTPRequest(method, try peer.url("/second"), isRepeatable: isRepeatable))
      return (failure, peer.journal.requests.dropFirst().map { "\($0.line) \($0.connection)" })
    }
  }

  @Test
  func `what must not be repeated is seen once, on a connection of its own`() async throws {
    let (failure, seen) = try await second("POST", isRepeatable: nil)
    #expect(seen == ["POST /second HTTP/1.1 1"])
    #expect(failure?.error.code == .networkUnreachable)
    #expect(failure?.delivery == .maybeSent)
  }

  @Test
  func `what may be repeated is, when a reused connection closes`() async throws {
    let (failure, seen) = try await second("GET", isRepeatable: nil)
    #expect(seen == ["GET /second HTTP/1.1 0", "GET /second HTTP/1.1 1"])
    #expect(failure == nil)
  }

  @Test
  func `libcurl would repeat a POST that says it may be repeated`() async throws {
    let (failure, seen) = try await second("POST", isRepeatable: true)
    #expect(seen == ["POST /second HTTP/1.1 0", "POST /second HTTP/1.1 1"])
    #expect(failure?.delivery == .maybeSent)
  }
}
