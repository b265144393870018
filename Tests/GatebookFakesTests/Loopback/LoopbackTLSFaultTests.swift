import GatebookFakes
import Testing

@Suite struct LoopbackTLSFaultTests {
  private let certificate: TestCertificate
  private let server: LoopbackServer
  private let acted = Tally()
  private let waited = Tally()

  init() throws {
    let (acted, waited) = (acted, waited)
    certificate = try .selfSigned()
    server = try LoopbackServer(
      tls: LoopbackTLS(certificate), wait: { waited.add(Int($0.components.seconds)) },
      handler: { request in
        acted.add(1)
        return request.path == "/huge" ? .huge(5 << 20, type: "text/plain") : .text("0123456789")
      })
    try server.start()
  }

  private func client() throws -> RawClient {
    try .secure(server.port, TLSTrust(roots: [certificate]))
  }

  private func ask(_ target: String = "/") throws -> Answer? {
    try client().ask("GET", target)
  }

  @Test(arguments: [(true, 0), (false, 1)])
  func `a drop comes before or after the handler acted`(_ isBefore: Bool, _ count: Int) throws {
    server.inject(isBefore ? .dropBeforeActing : .dropAfterActing)
    #expect(try ask() == nil)
    #expect(acted.sum == count)
    #expect(server.requests.count == 1)
    #expect(try ask()?.status == 200)
  }

  @Test func `a stall ends when the server stops`() async throws {
    server.inject(.stallAfterActing)
    let client = try client()
    client.send("GET / HTTP/1.1\r\n\r\n")
    _ = await server.requests(atLeast: 1)
    server.stop()
    #expect(client.readToEnd().isEmpty)
    #expect(acted.sum == 1)
  }

  @Test func `a delay asks the given wait, an alteration changes the answer`() throws {
    server.inject(.delay(.seconds(3600)))
    server.inject(.alter { $0.with("X-Spoilt", "yes") })
    server.inject(.answer { _ in .text("no", status: 503) })
    let client = try client()
    #expect(client.ask("GET", "/")?.status == 200)
    #expect(waited.sum == 3600)
    #expect(client.ask("GET", "/")?["X-Spoilt"] == "yes")
    #expect(client.ask("GET", "/")?.status == 503)
  }

  @Test func `a truncated answer ends without a word, a closed one with`() throws {
    server.inject(.truncate(after: 3))
    let client = try client()
    client.send("GET / HTTP/1.1\r\n\r\n")
    let text = String(decoding: client.readToEnd(), as: UTF8.self)
    #expect(text.contains("Content-Length: 10\r\n"))
    #expect(text.hasSuffix("\r\n\r\n012"))
    server.inject(.answer { _ in .text("bye").closing() })
    #expect(try ask()?.text == "bye")
  }

  @Test func `bodies larger than a record arrive whole, both ways`() throws {
    let client = try client()
    #expect(client.ask("GET", "/huge")?.body.count == 5 << 20)
    let body = String(repeating: "0123456789", count: 30_000)
    #expect(client.ask("POST", "/", body: body)?.status == 200)
    #expect(server.requests.last?.text == body)
  }

  @Test func `a request that is no HTTP is refused`() throws {
    let client = try client()
    client.send("nonsense\r\n\r\n")
    #expect(client.readAnswer()?.status == 400)
    #expect(client.readToEnd().isEmpty)
  }

  @Test func `stopping ends a handshake that never comes`() throws {
    let client = try #require(RawClient(server.port))
    let other = try self.client()
    #expect(other.ask("GET", "/")?.status == 200)
    server.stop()
    #expect(client.readToEnd().isEmpty)
    #expect(other.readToEnd().isEmpty)
  }
}
