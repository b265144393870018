internal import GatebookAuthentication
internal import GatebookCurl
internal import GatebookEvents
internal import GatebookSystem
internal import Testing

/// Answers that are handed on while they come, no faster than they are taken.
@Suite(.timeLimit(.minutes(10)))
struct PromptSinkTests {
  @Test func `the beginning of a body that pauses is handed on before its end`() async throws {
    let taken = Locked("")
    let script: RawPeer.Script = { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nfirst")
      // Only what was handed on lets the server continue.
      taken.withLock(once: { $0 == "first" }, { _ in })
      connection.send("second")
    }
    try await RawPeer.run(script) { peer in
      var request = HTTPRequest.get(try peer.url())
      request.sink = BodySink(
        promptly: { true }, begin: { _ throws(GatebookError) in },
        receive: { piece throws(GatebookError) in
          let text = String(decoding: piece, as: UTF8.self)
          taken.withLock { $0 += text }
        })
      let reply = try await CurlTransport.forTests().send(request)
      #expect(reply.isStreamed && reply.body.isEmpty)
      #expect(taken.withLock { $0 } == "firstsecond")
    }
  }

  @Test func `a short body that comes at once is judged before a prompt sink gets it`() async throws
  {
    try await RawPeer.run(
      RawPeer.answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    ) { peer in
      var request = HTTPRequest.get(try peer.url())
      let isTaken = Locked(false)
      request.sink = BodySink(
        promptly: { true },
        begin: { _ throws(GatebookError) in isTaken.withLock { $0 = true } },
        receive: { _ throws(GatebookError) in })
      let reply = try await CurlTransport.forTests().send(request)
      #expect(reply.body == Array("hello".utf8))
      #expect(!isTaken.withLock { $0 })
    }
  }

  @Test func `a sink without room holds the server back, and nothing is lost`() async throws {
    let size = 64 << 20
    let sent = Locked(false)
    let script: RawPeer.Script = { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
      connection.send([UInt8](repeating: 7, count: 1 << 20), upTo: size)
      sent.withLock { $0 = true }
    }
    try await RawPeer.run(script) { peer in
      var request = HTTPRequest.get(try peer.url())
      // A transfer that waits for its sink has time.
      request.limits.total = .milliseconds(200)
      let taken = Locked(0)
      let isOpen = Locked(false)
      let sink = BodySink(
        promptly: { isOpen.withLock { $0 } || taken.withLock { $0 } < 2 << 20 },
        begin: { _ throws(GatebookError) in },
        receive: { piece throws(GatebookError) in taken.withLock { $0 += piece.count } })
      request.sink = sink
      let transport = CurlTransport.forTests()
      async let reply = transport.send(request)
      while taken.withLock({ $0 }) < 2 << 20 { try await Task.sleep(for: .milliseconds(5)) }
      try await Task.sleep(for: .milliseconds(400))
      #expect(taken.withLock { $0 } < 4 << 20)
      #expect(!sent.withLock { $0 })
      isOpen.withLock { $0 = true }
      sink.bell.ring()
      #expect(try await reply.isStreamed)
      #expect(taken.withLock { $0 } == size)
    }
  }
}
