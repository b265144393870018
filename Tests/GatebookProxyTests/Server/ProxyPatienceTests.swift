import Gatebook
import GatebookProxy
import GatebookSystem
import GatebookTestSupport
import Testing

/// How long a proxy waits for its programs, how many it serves at once, and how it ends.
@Suite(.timeLimit(.minutes(2)))
struct ProxyPatienceTests {
  private static let get = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"
  private static let last = "GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

  @Test func `a slow header is answered with 408, and a silent connection ends`() async throws {
    let stage = try ProxyStage()
    let (slow, silent) = (try stage.client(), try stage.client())
    slow.send("GET / HTTP/1.1\r\nHost: local")
    // Both were accepted and read once this is answered.
    _ = try await stage.answer(to: Self.last)
    stage.clock.advance(by: .seconds(15))
    slow.send("ho")
    _ = try await stage.answer(to: Self.last)
    try stage.advance(by: .seconds(6))
    #expect(await slow.receive(until: "408").hasPrefix("HTTP/1.1 408 "))
    try stage.advance(by: .seconds(60))
    #expect(await silent.hasEnded())
    #expect(stage.server.counts.refused == [.slow: 1])
  }

  @Test func `a body that pauses is answered with 408, and the request is given up`() async throws {
    let stage = try ProxyStage()
    let client = try stage.client()
    client.send("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999\r\n\r\nabc")
    await stage.upstream.begun.reaches(1)
    try stage.advance(by: .seconds(61))
    #expect(await client.receive().hasPrefix("HTTP/1.1 408 "))
    await stage.upstream.ended.reaches(1)
    #expect(stage.upstream.requests.isEmpty)
  }

  @Test func `a short body that trickles is answered with 408`() async throws {
    let stage = try ProxyStage()
    let client = try stage.client()
    client.send("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n")
    for _ in 1...5 {
      // What was sent was read once this is answered.
      _ = try await stage.answer(to: Self.last)
      stage.clock.advance(by: .seconds(15))
      client.send("a")
    }
    #expect(await client.receive(until: "408").hasPrefix("HTTP/1.1 408 "))
    #expect(stage.server.counts.refused == [.slow: 1])
  }

  @Test(arguments: [
    "PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\na",
    "GET / HTTP/1.1\r\nHost: local",
  ])
  func `at its end a request that is not whole is refused`(_ text: String) async throws {
    let stage = try ProxyStage()
    var client: RawClient? = try stage.client()
    client?.send(text)
    _ = try await stage.answer(to: Self.last)
    stage.server.end()
    let answer = await client?.receive() ?? ""
    #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
    #expect(answer.contains("The proxy is ending."))
    client = nil
    await stage.server.ended()
    #expect(stage.upstream.requests.count == 1)
  }

  @Test func `a request whose program has gone is given up`() async throws {
    let stage = try ProxyStage { _ throws(GatebookError) in
      await Tally().reaches(1)
      throw GatebookError(.cancelled, "Cancelled.", kept: "", remedy: "")
    }
    var client: RawClient? = try stage.client()
    client?.send(Self.get)
    await stage.upstream.received.reaches(1)
    client = nil
    await stage.upstream.ended.reaches(1)
  }

  @Test func `a request whose program has hung up is given up after some seconds, at a port too`()
    async throws
  {
    let stage = try ProxyStage(
      isLocal: false, changing: { $0.limits.requests = 1 },
      { _ throws(GatebookError) in
        await Tally().reaches(1)
        throw GatebookError(.cancelled, "Cancelled.", kept: "", remedy: "")
      })
    var clients = try (0..<2).map { _ in try stage.client() }
    clients[0].send(Self.get)
    await stage.upstream.received.reaches(1)
    // It waits until there is room.
    clients[1].send(Self.get)
    clients = []
    let refused = "TRACE / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    for _ in 1...2 {
      // What happened before was seen once this is answered.
      _ = try await stage.answer(to: refused)
      stage.clock.advance(by: .seconds(6))
    }
    _ = try await stage.answer(to: refused)
    await stage.upstream.ended.reaches(1)
  }

  @Test func `a program that sends no more still gets its answer`() async throws {
    let door = Tally()
    let stage = try ProxyStage(isLocal: false) { _ in
      await door.reaches(1)
      return Upstream.reply
    }
    let client = try stage.client()
    client.send(Self.get)
    Sockets.endSending(client.socket)
    await stage.upstream.received.reaches(1)
    stage.clock.advance(by: .seconds(4))
    door.add()
    #expect(await client.receive().hasSuffix("hello"))
  }

  @Test func `the server is asked by no more than a few at once, and all get their answer`()
    async throws
  {
    let most = Locked((now: 0, most: 0))
    let (arrived, door) = (Tally(), Tally())
    let answer: Upstream.Answer = { _ in
      most.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      arrived.add()
      await door.reaches(1)
      most.withLock { $0.now -= 1 }
      return HTTPReply(status: 200)
    }
    let stage = try ProxyStage(changing: { $0.limits.requests = 4 }, answer)
    let clients = try (0..<40).map { _ in try stage.client() }
    for client in clients { client.send(Self.last) }
    await arrived.reaches(4)
    door.add()
    for client in clients { #expect(await client.receive().hasPrefix("HTTP/1.1 200 ")) }
    #expect(most.withLock { $0.most } == 4)
  }

  @Test func `1,000 idle connections leave room for others, and the oldest makes it`() async throws
  {
    OpenFiles.raiseLimit()
    let stage = try ProxyStage(changing: { $0.limits.connections = 1000 }, Upstream.hello)
    let oldest = try stage.client()
    // It was accepted once this is answered.
    #expect(try await stage.answer(to: Self.last).hasSuffix("hello"))
    stage.clock.advance(by: .seconds(1))
    let others = try (0..<999).map { _ in try stage.client() }
    #expect(await oldest.hasEnded())
    #expect(try await stage.answer(to: Self.last).hasSuffix("hello"))
    others[998].send(Self.last)
    #expect(await others[998].receive().hasSuffix("hello"))
  }

  @Test func `above the limit others wait, until a connection was idle for a second`() async throws
  {
    let stage = try ProxyStage(changing: { $0.limits.connections = 4 }, Upstream.hello)
    var clients = try (0..<4).map { _ in try stage.client() }
    let others = try (0..<2).map { _ in try stage.client() }
    for other in others { other.send(Self.last) }
    for _ in 1...2 {
      for client in clients {
        client.send(Self.get)
        #expect(await client.receive(until: "hello").hasSuffix("hello"))
      }
    }
    clients.removeFirst()
    #expect(await others[0].receive().hasSuffix("hello"))
    stage.clock.advance(by: .seconds(1))
    #expect(await others[1].receive().hasSuffix("hello"))
  }

  @Test func `at its end requests under way get their answers, and no other is taken`() async throws
  {
    let door = Tally()
    let stage = try ProxyStage { _ in
      await door.reaches(1)
      return Upstream.reply
    }
    let (busy, idle) = (try stage.client(), try stage.client())
    busy.send(Self.get + Self.get)
    await stage.upstream.received.reaches(1)
    stage.server.end()
    #expect(await idle.hasEnded())
    door.add()
    let answer = await busy.receive()
    #expect(answer.matches(of: /HTTP\/1.1 200 OK/).count == 1)
    #expect(answer.contains("Connection: close\r\n") && answer.hasSuffix("hello"))
    // The program keeps its side open: the proxy does not wait for it for ever.
    stage.clock.advance(by: .seconds(3))
    await stage.server.ended()
    #expect(stage.upstream.requests.count == 1)
    #expect(!Files.exists(stage.place.path ?? ""))
  }
}
