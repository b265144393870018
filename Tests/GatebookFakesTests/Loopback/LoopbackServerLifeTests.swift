import Gatebook
import GatebookFakes
import Testing

@Suite struct LoopbackServerLifeTests {
  private func greeter() throws -> LoopbackServer {
    try LoopbackServer { _ in .text("hello") }
  }

  @Test func `a server that is down refuses connections and keeps its port`() throws {
    let server = try greeter()
    #expect(RawClient(server.port) == nil)
    for _ in 1...3 {
      try server.start()
      try server.start()
      #expect(RawClient.ask(server.port, "GET", "/")?.text == "hello")
      server.stop()
      server.stop()
      #expect(RawClient(server.port) == nil)
    }
    #expect(server.requests.map(\.number) == [1, 2, 3])
    #expect(server.url == "http://127.0.0.1:\(server.port)")
  }

  @Test func `stopping ends connections in the middle of a request`() throws {
    let server = try greeter()
    try server.start()
    let idle = try #require(RawClient(server.port))
    #expect(idle.ask("GET", "/")?.status == 200)
    let half = try #require(RawClient(server.port))
    half.send("POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\n12345")
    server.stop()
    #expect(idle.readToEnd().isEmpty)
    #expect(half.readToEnd().isEmpty)
  }

  @Test func `stopping ends a stalled answer`() async throws {
    let server = try LoopbackServer { _ in .stalled }
    try server.start()
    let client = try #require(RawClient(server.port))
    client.send("GET / HTTP/1.1\r\n\r\n")
    _ = await server.requests(atLeast: 1)
    server.stop()
    #expect(client.readToEnd().isEmpty)
  }

  @Test func `stopping wakes who waits for requests`() async throws {
    let server = try greeter()
    try server.start()
    async let seen = server.requests(atLeast: 1)
    server.stop()
    #expect(await seen.isEmpty)
  }

  @Test func `losing the last reference stops the server`() throws {
    var server: LoopbackServer? = try greeter()
    try server?.start()
    let port = try #require(server?.port)
    let client = try #require(RawClient(port))
    server = nil
    #expect(client.readToEnd().isEmpty)
  }

  @Test func `a port that is taken is refused with its reason`() throws {
    let first = try greeter()
    try first.start()
    let error = #expect(throws: GatebookError.self) {
      try LoopbackServer(port: first.port) { _ in .text("") }
    }
    #expect(error?.code == .configurationInvalid)
  }

  @Test func `a given port is used`() throws {
    let port = try { try greeter().port }()
    let server = try LoopbackServer(port: port) { _ in .text("mine") }
    try server.start()
    #expect(server.port == port)
    #expect(RawClient.ask(port, "GET", "/")?.text == "mine")
  }
}
