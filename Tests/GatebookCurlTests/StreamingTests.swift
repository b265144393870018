internal import GatebookAuthentication
internal import GatebookCurl
internal import GatebookEvents
internal import GatebookSystem
internal import Testing

/// Bodies that are read while they are sent, and taken while they arrive.
@Suite(.timeLimit(.minutes(10)))
struct StreamingTests {
  private static let ok: RawPeer.Script = { connection in
    guard connection.readRequest() != nil else { return }
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
  }

  /// A source of these pieces; `nil` is a moment without any.
  private func source(
    _ pieces: [[UInt8]?], count: Int? = nil, ending: GatebookError? = nil
  ) -> BodySource {
    let rest = Locked(pieces[...])
    return BodySource(count: count) { (buffer) throws(GatebookError) in
      guard let piece = rest.withLock({ $0.popFirst() }) else {
        if let ending { throw ending }
        return 0
      }
      guard let piece else { return nil }
      buffer.copyBytes(from: piece)
      return piece.count
    }
  }

  private static func failure(_ words: String) -> GatebookError {
    GatebookError(.configurationInvalid, words, remedy: "Test.")
  }

  /// What a sink got, and the answer; a limit keeps it from taking more.
  private func download(
    _ answer: String, _ piece: [UInt8] = [], upTo total: Int = 0, limit: Int = .max
  ) async throws -> (result: Result<HTTPReply, TransportFailure>, head: HTTPReply?, taken: Int) {
    let taken = Locked(0)
    let head = Locked<HTTPReply?>(nil)
    let script: RawPeer.Script = { connection in
      guard connection.readRequest() != nil else { return }
      connection.send(answer)
      if total > 0 { connection.send(piece, upTo: total) }
    }
    let result: Result<HTTPReply, TransportFailure> = try await RawPeer.run(script) { peer in
      var request = HTTPRequest.get(try peer.url())
      request.limits.body = 4 << 20
      request.sink = BodySink(
        begin: { (reply) throws(GatebookError) in head.withLock { $0 = reply } },
        receive: { (piece) throws(GatebookError) in
          let count = taken.withLock {
            $0 += piece.count
            return $0
          }
          guard count <= limit else { throw Self.failure("full") }
        })
      do throws(TransportFailure) {
        return .success(try await CurlTransport.forTests().send(request))
      } catch {
        return .failure(error)
      }
    }
    return (result, head.withLock { $0 }, taken.withLock { $0 })
  }

  @Test(arguments: ["POST", "PUT", "PATCH"])
  func `a source of known size is sent as it is read`(_ method: String) async throws {
    let pieces = (0..<40).map { index in [UInt8](repeating: UInt8(index), count: 10_000) }
    try await RawPeer.run(Self.ok) { peer in
      var request = HTTPRequest(method, try peer.url())
      request.source = source(pieces, count: 400_000)
      _ = try await CurlTransport.forTests().send(request)
      let seen = try #require(peer.journal.requests.first)
      #expect(seen.line == "\(method) / HTTP/1.1")
      #expect(seen.lines.contains("Content-Length: 400000"))
      #expect(seen.body == Array(pieces.joined()))
    }
  }

  @Test func `a source of unknown size is sent in chunks, also when it has to be waited for`()
    async throws
  {
    try await RawPeer.run(Self.ok) { peer in
      var request = HTTPRequest("POST", try peer.url())
      request.source = source([Array("one".utf8), nil, nil, Array("two".utf8), nil])
      #expect(try await CurlTransport.forTests().send(request).status == 200)
      let seen = try #require(peer.journal.requests.first)
      #expect(seen.lines.contains("Transfer-Encoding: chunked"))
      #expect(!seen.lines.contains { $0.hasPrefix("Expect") })
      #expect(seen.body == Array("onetwo".utf8))
    }
  }

  @Test func `a source that fails ends the request with its own error`() async throws {
    try await RawPeer.run(Self.ok) { peer in
      var request = HTTPRequest("POST", try peer.url())
      request.source = source([[1]], count: 2, ending: Self.failure("gone"))
      let failure = await CurlTransport.forTests().failure(of: request)
      #expect(failure?.error.message == "gone")
      #expect(failure?.delivery == .maybeSent)
    }
  }

  @Test func `a source that was read is not sent a second time`() async throws {
    try await RawPeer.run(Self.ok) { peer in
      var request = HTTPRequest("POST", try peer.url())
      request.source = source([[1]], count: 1)
      let transport = CurlTransport.forTests()
      #expect(try await transport.send(request).status == 200)
      let failure = await transport.failure(of: request)
      #expect(failure?.error.code == .configurationInvalid)
      #expect(failure?.delivery == .notSent)
      #expect(peer.journal.requests.count == 1)
    }
  }

  @Test func `a long body goes to the sink, beyond the limit of memory`() async throws {
    let size = 24 << 20
    let (result, head, taken) = try await download(
      "HTTP/1.1 206 OK\r\nX-A: 1\r\nContent-Length: \(size)\r\n\r\n",
      [UInt8](repeating: 7, count: 1 << 16), upTo: size)
    let reply = try result.get()
    #expect(reply.isStreamed)
    #expect(reply.body.isEmpty)
    #expect(taken == size)
    #expect(head?.status == 206)
    #expect(head?.fields.first("X-A") == "1")
  }

  @Test func `a short body stays in memory, for the session rules`() async throws {
    let (result, head, taken) = try await download("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    let reply = try result.get()
    #expect(!reply.isStreamed)
    #expect(reply.body == Array("ok".utf8))
    #expect(head == nil)
    #expect(taken == 0)
  }

  @Test(arguments: [302, 401, 404, 500])
  func `the body of any other answer stays in memory`(_ status: Int) async throws {
    let size = 2 << 20
    let (result, _, taken) = try await download(
      "HTTP/1.1 \(status) No\r\nContent-Length: \(size)\r\n\r\n",
      [UInt8](repeating: 7, count: 1 << 16), upTo: size)
    #expect(try result.get().body.count == size)
    #expect(taken == 0)
  }

  @Test func `a sink that takes no more ends the request`() async throws {
    let (result, _, _) = try await download(
      "HTTP/1.1 200 OK\r\n\r\n", [UInt8](repeating: 7, count: 1 << 16), upTo: 64 << 20,
      limit: 3 << 20)
    guard case .failure(let failure) = result else {
      Issue.record("The request went through.")
      return
    }
    #expect(failure.error.message == "full")
  }

  @Test func `a body that breaks off fails, whatever was handed over`() async throws {
    let (result, _, taken) = try await download(
      "HTTP/1.1 200 OK\r\nContent-Length: \(9 << 20)\r\n\r\n",
      [UInt8](repeating: 7, count: 1 << 16), upTo: 3 << 20)
    guard case .failure(let failure) = result else {
      Issue.record("The request went through.")
      return
    }
    #expect(failure.error.code == .networkUnreachable)
    #expect(taken == 3 << 20)
  }
}
