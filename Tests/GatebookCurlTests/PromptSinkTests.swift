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

  /// How far an answer has come whose sink has room for 2 MiB until it is opened.
  private struct Progress {
    static let room = 2 << 20
    var taken = 0
    var isSent = false
    var isOpen = false

    var hasRoom: Bool { isOpen || taken < Self.room }
    var isHeldBack: Bool { taken < 2 * Self.room && !isSent }
  }

  @Test func `a sink without room holds the server back, and nothing is lost`() async throws {
    let size = 64 << 20
    let progress = Locked(Progress())
    let script: RawPeer.Script = { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
      connection.send([UInt8](repeating: 7, count: 1 << 20), upTo: size)
      progress.withLock { $0.isSent = true }
    }
    try await RawPeer.run(script) { peer in
      var request = HTTPRequest.get(try peer.url())
      // A transfer that waits for its sink has time.
      request.limits.total = .milliseconds(200)
      let sink = BodySink(
        promptly: { progress.withLock(\.hasRoom) },
        begin: { _ throws(GatebookError) in },
        receive: { piece throws(GatebookError) in progress.withLock { $0.taken += piece.count } })
      request.sink = sink
      let wasHeldBack = Locked(false)
      startThread {
        progress.withLock(once: { !$0.hasRoom }, { _ in })
        // Twice the limit; it ends at once where more comes.
        let end = SystemTime.monotonic + 400_000
        var now = progress.withLock { $0 }
        while now.isHeldBack, SystemTime.monotonic < end {
          now = progress.value(once: { !$0.isHeldBack }, until: end)
        }
        wasHeldBack.withLock { $0 = now.isHeldBack }
        progress.withLock { $0.isOpen = true }
        sink.bell.ring()
      }
      let reply = try await CurlTransport.forTests().send(request)
      #expect(reply.isStreamed)
      #expect(wasHeldBack.withLock { $0 })
      #expect(progress.withLock { $0.taken } == size)
    }
  }
}
