import GatebookFakes
import Testing

@Suite struct GatewayWebSocketTests {
  private static let handshake = [
    ("Upgrade", "websocket"), ("Connection", "keep-alive, Upgrade"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Version", "13"),
  ]

  private func open(
    _ client: RawClient, _ fields: [(String, String)] = handshake
  ) -> Answer? {
    client.ask("GET", "/gateway/websocketcall", fields)
  }

  @Test func `an accepted web socket is held until it is dropped`() async throws {
    let gateway = try startedGateway()
    let client = try #require(RawClient(gateway.port))
    let other = try #require(RawClient(gateway.port))
    let answer = open(client)
    #expect(answer?.status == 101)
    // RFC 6455 section 1.3: the example of the standard.
    #expect(answer?["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    #expect(answer?["Upgrade"] == "websocket")
    #expect(answer?["Content-Length"] == nil)
    #expect(open(other)?.status == 101)
    client.send([0x81, 0x80, 0, 0, 0, 0])
    #expect(await gateway.openWebSockets(atLeast: 2) == 2)
    #expect(gateway.openWebSockets == 2)
    #expect(gateway.dropWebSockets() == 2)
    #expect(client.readToEnd().isEmpty)
    #expect(other.readToEnd().isEmpty)
    #expect(gateway.openWebSockets == 0)
    #expect(gateway.dropWebSockets() == 0)
    #expect(gateway.connectionCount == 2)
    let again = try #require(RawClient(gateway.port))
    #expect(open(again)?.status == 101)
    #expect(await gateway.openWebSockets(atLeast: 1) == 1)
  }

  @Test func `stopping wakes who waits for web sockets`() async throws {
    let gateway = try startedGateway()
    async let open = gateway.openWebSockets(atLeast: 1)
    gateway.stop()
    #expect(await open == 0)
    #expect(await gateway.openWebSockets(atLeast: 1) == 0)
  }

  @Test func `a web socket is dropped or refused on command`() async throws {
    let gateway = try startedGateway { $0.webSocket = .drops }
    #expect(try open(#require(RawClient(gateway.port))) == nil)
    gateway.switches.webSocket = .refuses(503)
    #expect(try open(#require(RawClient(gateway.port)))?.status == 503)
    gateway.switches.webSocket = .accepts
    gateway.inject(.dropBeforeActing, on: .webSocket)
    #expect(try open(#require(RawClient(gateway.port))) == nil)
    let client = try #require(RawClient(gateway.port))
    #expect(open(client)?.status == 101)
    #expect(await gateway.openWebSockets(atLeast: 1) == 1)
    gateway.stop()
    #expect(client.readToEnd().isEmpty)
    #expect(gateway.openWebSockets == 0)
    #expect(gateway.requests(to: .webSocket).count == 4)
  }

  @Test(arguments: [
    (0, "h2c", 400), (1, "close", 400), (2, "short", 400), (3, "8", 426),
  ])
  func `what is no opening handshake is refused`(
    _ index: Int, _ value: String, _ status: Int
  ) throws {
    let gateway = try startedGateway()
    var fields = Self.handshake
    fields[index].1 = value
    #expect(try open(#require(RawClient(gateway.port)), fields)?.status == status)
    fields.remove(at: index)
    #expect(try open(#require(RawClient(gateway.port)), fields)?.status == status)
    #expect(gateway.openWebSockets == 0)
  }

  @Test func `it is there over TLS too, and sees the cookies`() async throws {
    let certificates = try FakeGatewayCertificates()
    let gateway = try FakeGateway(tls: LoopbackTLS(certificates.good))
    try gateway.start()
    let client = try RawClient.secure(
      gateway.port, TLSTrust(roots: [certificates.authority.certificate]))
    #expect(open(client, Self.handshake + [("Cookie", "JSESSIONID=s-9")])?.status == 101)
    #expect(gateway.requests.last?.request.cookie("JSESSIONID") == "s-9")
    #expect(gateway.requests.last?.cookieOwner == nil)
    #expect(await gateway.openWebSockets(atLeast: 1) == 1)
    #expect(gateway.dropWebSockets() == 1)
    #expect(client.readToEnd().isEmpty)
  }
}
