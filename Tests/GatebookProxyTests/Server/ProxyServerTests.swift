import Gatebook
import GatebookProxy
import GatebookSystem
import GatebookTestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ProxyServerTests {
  private static let get = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"
  private static let last = "GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

  @Test(arguments: [true, false])
  func `requests on one connection are answered in their order`(_ isLocal: Bool) async throws {
    let stage = try ProxyStage(isLocal: isLocal) { request in
      HTTPReply(status: 200, body: Array(request.url.path.utf8))
    }
    let text = try await stage.answer(
      to: "POST /b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nGET /"
        + "PUT /c HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nabc\r\n0\r\nX-T: a\r\n\r\n" + Self.get + Self.last)
    let bodies = text.split(separator: "HTTP/1.1 200 OK").map { $0.split(separator: "\r\n").last }
    #expect(text.matches(of: /HTTP\/1.1 200 OK/).count == 4, "\(text)")
    #expect(bodies.count == 4)
    for path in ["/b", "/c", "/a", "/last"] { #expect(text.contains(path)) }
    #expect(
      stage.upstream.requests.map { String(decoding: $0.body, as: UTF8.self) } == [
        "GET /", "abc", "", "",
      ])
    #expect(stage.upstream.requests.allSatisfy { $0.url.origin.host == "api.example" })
    #expect(stage.server.counts.forwarded == 4)
  }

  @Test(arguments: [
    "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n c\r\n\r\n",
    "GET /a HTTP/1.1\nHost: localhost\n\n",
    "GET /a HTTP/1.1\r\nHost: localhost\r\nX-A: b\rc\r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: localhost\r\nX-A: b\u{0}c\r\n\r\n",
    "CONNECT api.example:443 HTTP/1.1\r\nHost: api.example:443\r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n",
    "HEAD /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\na",
    "GET https://evil.example/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabcdefghi",
  ])
  func `after what is refused nothing is taken for a request`(_ text: String) async throws {
    let stage = try ProxyStage()
    let answer = try await stage.answer(to: text + Self.get)
    #expect(answer.matches(of: /HTTP\/1.1\x20/).count == 1, "\(answer)")
    #expect(answer.contains("Connection: close\r\n"))
    #expect(answer.contains("Gatebook-Error: proxy."))
    #expect(stage.upstream.requests.isEmpty)
    #expect(stage.server.counts.refused.values.reduce(0, +) == 1)
  }

  @Test func `a chunk that is none ends the request, and nothing of it counts as whole`()
    async throws
  {
    let stage = try ProxyStage()
    let answer = try await stage.answer(
      to: "POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nabc\r\nzz\r\n" + Self.get)
    #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
    await stage.upstream.ended.reaches(1)
    #expect(stage.upstream.requests.isEmpty)
  }

  @Test func `100,000 header lines are refused after the first hundred`() async throws {
    let stage = try ProxyStage()
    let client = try stage.client()
    let lines = (0..<100_000).map { "X-\($0): b\r\n" }.joined()
    // What is sent after the refusal may meet a closed connection.
    client.send("GET / HTTP/1.1\r\nHost: localhost\r\n" + lines.prefix(100_000))
    #expect(await client.receive().hasPrefix("HTTP/1.1 431 "))
    #expect(stage.upstream.requests.isEmpty)
  }

  @Test func `a refused request leaves the connection for the next one`() async throws {
    let stage = try ProxyStage(changing: { $0.rules.isReadOnly = true }, Upstream.hello)
    let answer = try await stage.answer(
      to: "DELETE /a HTTP/1.1\r\nHost: localhost\r\n\r\n" + Self.last)
    #expect(answer.hasPrefix("HTTP/1.1 403 "))
    #expect(answer.contains("\"code\":\"proxy.readOnly\""))
    #expect(answer.hasSuffix("\r\n\r\nhello"), "\(answer)")
  }

  @Test func `a port serves only who shows the capability, and never sends it on`() async throws {
    let capability = Capability(random: SystemRandom())
    let stage = try ProxyStage(
      isLocal: false, changing: { $0.rules.capability = capability }, Upstream.hello)
    let without = try await stage.answer(to: Self.last)
    #expect(without.hasPrefix("HTTP/1.1 401 "))
    #expect(stage.upstream.requests.isEmpty)
    let with = try await stage.answer(
      to: "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + "Authorization: Bearer \(capability.text)\r\n\r\n")
    #expect(with.hasPrefix("HTTP/1.1 200 "))
    #expect(stage.upstream.requests.count == 1)
    #expect(
      stage.upstream.requests.first?.fields.contains { $0.value.contains(capability.text) } == false
    )
  }

  @Test func `a body is asked for only when the server is to get it`() async throws {
    let stage = try ProxyStage()
    let client = try stage.client()
    client.send(
      "PUT /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
    #expect(await client.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("abc")
    #expect(await client.receive(until: "hello").hasPrefix("HTTP/1.1 200 OK\r\n"))
    client.send(
      "PUT /a HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
    #expect(await client.receive().hasPrefix("HTTP/1.1 421 "))
    #expect(stage.upstream.requests.count == 1)
  }

  @Test func `HEAD has the length of GET and no body`() async throws {
    let stage = try ProxyStage { _ in
      HTTPReply(status: 200, fields: [HTTPField("Content-Length", "5")])
    }
    let answer = try await stage.answer(
      to: "HEAD /a HTTP/1.1\r\nHost: localhost\r\n\r\n" + Self.last.replacing("GET", with: "HEAD"))
    #expect(answer.matches(of: /HTTP\/1.1 200 OK/).count == 2)
    #expect(answer.hasSuffix("Content-Length: 5\r\nConnection: close\r\n\r\n"), "\(answer)")
  }

  @Test func `an answer comes as the server sends it, before its end`() async throws {
    let door = Tally()
    let stage = try ProxyStage { request throws(GatebookError) in
      var head = HTTPReply(status: 200, fields: [HTTPField("Content-Type", "text/event-stream")])
      head.isStreamed = true
      try request.sink?.start(head)
      func send(_ text: String) throws(GatebookError) {
        let bytes = Array(text.utf8)
        try bytes.withUnsafeBufferPointer { bytes throws(GatebookError) in
          try request.sink?.take(UnsafeRawBufferPointer(bytes))
        }
      }
      try send("first")
      await door.reaches(1)
      try send("second")
      return head
    }
    let client = try stage.client()
    client.send(Self.last)
    #expect(await client.receive(until: "first").contains("Transfer-Encoding: chunked\r\n"))
    door.add()
    #expect(await client.receive().hasSuffix("6\r\nsecond\r\n0\r\n\r\n"))
  }

  @Test func `a program that does not read stops the server, and gets all of it once it reads`()
    async throws
  {
    let total = 8 << 20
    let (sent, paused) = (Locked(0), Tally())
    let stage = try ProxyStage { request throws(GatebookError) in
      var head = HTTPReply(status: 200, fields: [HTTPField("Content-Length", "\(total)")])
      head.isStreamed = true
      guard let sink = request.sink else { return Upstream.reply }
      let rings = Tally()
      sink.bell.hear { rings.add() }
      try sink.start(head)
      let piece = [UInt8](repeating: 0x61, count: 16 << 10)
      while sent.withLock({ $0 }) < total {
        let heard = rings.value
        guard sink.hasRoom() else {
          paused.add()
          await rings.reaches(heard + 1)
          continue
        }
        try piece.withUnsafeBufferPointer { bytes throws(GatebookError) in
          try sink.take(UnsafeRawBufferPointer(bytes))
        }
        sent.withLock { $0 += piece.count }
      }
      return head
    }
    let client = try stage.client()
    client.send(Self.last)
    await paused.reaches(1)
    // Two windows, and what the kernel keeps of a socket.
    #expect(sent.withLock { $0 } < total / 2)
    let answer = await client.receive()
    #expect(answer.utf8.count { $0 == 0x61 } >= total)
  }

  @Test func `an answer that breaks off is not taken for a whole one`() async throws {
    let stage = try ProxyStage { request throws(GatebookError) in
      var head = HTTPReply(status: 200)
      head.isStreamed = true
      try request.sink?.start(head)
      throw GatebookError(.networkUnreachable, "Broken off.", kept: "", remedy: "")
    }
    let answer = try await stage.answer(to: Self.last)
    #expect(!answer.hasSuffix("0\r\n\r\n"), "\(answer)")
  }

  @Test func `an answer that is longer than it said is not sent beyond its length`() async throws {
    let stage = try ProxyStage { _ in
      HTTPReply(
        status: 200, fields: [HTTPField("Content-Length", "3")], body: Array("hello".utf8))
    }
    let answer = try await stage.answer(to: Self.get)
    #expect(!answer.contains("hello"), "\(answer)")
  }

  @Test func `a failure is an answer that a program can read`() async throws {
    let stage = try ProxyStage { _ throws(GatebookError) in
      throw GatebookError(
        .networkUnreachable, "The server was not reached.", kept: "The session is kept.",
        remedy: "Try again.")
    }
    let answer = try await stage.answer(to: Self.last)
    #expect(answer.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
    #expect(
      answer.hasSuffix(
        #"{"error":{"code":"network.unreachable","kept":"The session is kept.","message":"The server was not reached.","remedy":"Try again."}}"#
          + "\n"), "\(answer)")
  }

  @Test func `a body that is too long for the account's method is answered with 413`() async throws
  {
    let stage = try ProxyStage(
      changing: { settings in
        settings.send = { request, _ throws(GatebookError) in
          let bytes = try await request.source?.bytes(limit: 1 << 20, SystemClock())
          return HTTPReply(status: 200, body: bytes ?? [])
        }
      }, Upstream.hello)
    let client = try stage.client()
    let body = String(repeating: "a", count: 2 << 20)
    client.send("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\n\r\n\(body)")
    #expect(await client.receive(until: "\"limit.exceeded\"").hasPrefix("HTTP/1.1 413 "))
  }
}
