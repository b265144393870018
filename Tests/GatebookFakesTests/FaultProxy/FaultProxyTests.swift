import GatebookFakes
import Glibc
import Testing

@Suite struct FaultProxyTests {
  private let server: LoopbackServer
  private let proxy: FaultProxy

  init() throws {
    server = try LoopbackServer { request in
      request.path == "/empty"
        ? LoopbackReply(status: 204)
        : .text("\(request.method) \(request.text)", fields: ["X": "y"])
    }
    proxy = try FaultProxy(to: server.port)
    try server.start()
    try proxy.start()
  }

  private func ask(_ target: String = "/", body: String = "0123456789") -> Answer? {
    RawClient.ask(proxy.port, "POST", target, [("X-Two", "a"), ("X-Two", "b")], body: body)
  }

  @Test func `what meets no fault passes as it is, with its host`() throws {
    let answer = try #require(ask("/path?a=b%20c"))
    #expect(answer.status == 200)
    #expect(answer.text == "POST 0123456789")
    #expect(answer["X"] == "y")
    let received = try #require(server.requests.first)
    #expect(received.target == "/path?a=b%20c")
    #expect(received.fields["Host"] == "127.0.0.1")
    #expect(received.fields.values(of: "X-Two") == ["a", "b"])
    #expect(proxy.requests.map(\.target) == ["/path?a=b%20c"])
    #expect(proxy.faulted.isEmpty)
  }

  @Test func `a connection that is closed or a stopped proxy reach no server`() throws {
    proxy.inject(.dropBeforeActing)
    #expect(ask() == nil)
    proxy.stop()
    #expect(ask() == nil)
    #expect(server.requests.isEmpty)
    try proxy.start()
    #expect(ask()?.status == 200)
  }

  @Test func `a reset comes after the server has acted, and is one`() throws {
    proxy.inject(.resetAfterActing)
    let client = try #require(RawClient(proxy.port))
    client.send("GET / HTTP/1.1\r\n\r\n")
    var byte: UInt8 = 0
    #expect(recv(client.descriptor, &byte, 1, 0) == -1)
    #expect(errno == ECONNRESET)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: ["/", "/empty"])
  func `a truncated answer is never whole`(_ path: String) throws {
    proxy.inject(.halve)
    let client = try #require(RawClient(proxy.port))
    client.send("POST \(path) HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd")
    let text = String(decoding: client.readToEnd(), as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 20"))
    #expect(text.hasSuffix(path == "/" ? "\r\n\r\nPOST" : "\r\n\r\n") == (path == "/"))
    #expect(server.requests.count == 1)
  }

  @Test func `what is delayed comes, and not before its time`() {
    proxy.inject(.delay(.milliseconds(20)))
    let start = ContinuousClock.now
    #expect(ask()?.text == "POST 0123456789")
    #expect(ContinuousClock.now - start >= .milliseconds(20))
    #expect(server.requests.count == 1)
    #expect(proxy.faulted.count == 1)
  }

  @Test func `what is held comes when it is released`() async throws {
    proxy.inject(.hold)
    let client = try #require(RawClient(proxy.port))
    client.send("GET / HTTP/1.1\r\n\r\n")
    _ = await server.requests(atLeast: 1)
    var byte: UInt8 = 0
    #expect(recv(client.descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == -1)
    proxy.release()
    #expect(client.readAnswer()?.status == 200)
  }

  @Test func `a stopped proxy holds nobody up`() async throws {
    proxy.inject(.hold)
    let client = try #require(RawClient(proxy.port))
    client.send("GET / HTTP/1.1\r\n\r\n")
    _ = await server.requests(atLeast: 1)
    proxy.stop()
  }

  @Test func `answers of the proxy's own reach no server`() throws {
    proxy.inject(.status(500))
    proxy.inject(.status(429, retryAfter: 7))
    proxy.inject(.page())
    let answers = try (0..<3).map { _ in try #require(ask()) }
    #expect(answers.map(\.status) == [500, 429, 200])
    #expect(answers[1]["Retry-After"] == "7")
    #expect(answers[2].text.contains("A page that nobody asked for."))
    #expect(server.requests.isEmpty)
  }

  @Test func `a request that is sent twice is answered by the second answer`() throws {
    let count = Tally()
    let server = try LoopbackServer { _ in
      count.add(1)
      return .text("\(count.sum)")
    }
    let proxy = try FaultProxy(to: server.port)
    try server.start()
    try proxy.start()
    proxy.inject(.actTwice)
    #expect(RawClient.ask(proxy.port, "POST", "/", body: "x")?.text == "2")
    #expect(server.requests.map(\.text) == ["x", "x"])
    #expect(proxy.requests.count == 1)
  }

  @Test func `faults wait for their turn among the requests that fit them`() {
    proxy.inject(.status(500), after: 1, times: 2) { $0.path == "/a" }
    let paths = ["/a", "/b", "/a", "/b", "/a", "/a"]
    #expect(paths.map { ask($0)?.status } == [200, 200, 500, 200, 500, 200])
    #expect(proxy.faulted.map(\.number) == [3, 5])
    proxy.inject(.status(500), times: nil)
    #expect((0..<3).map { _ in ask()?.status } == [500, 500, 500])
    proxy.clearFaults()
    #expect(ask()?.status == 200)
  }

  @Test func `a server that is not there ends the connection`() {
    server.stop()
    #expect(ask() == nil)
  }
}
