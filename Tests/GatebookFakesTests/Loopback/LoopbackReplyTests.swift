import GatebookFakes
import Testing

@Suite struct LoopbackReplyTests {
  private func serving(_ replies: LoopbackReply...) throws -> LoopbackServer {
    let server = try LoopbackServer(replies: replies)
    try server.start()
    return server
  }

  @Test func `a script is answered in order and then runs dry`() throws {
    let server = try serving(.text("one"), .json("[2]", status: 403))
    #expect(RawClient.ask(server.port, "GET", "/")?.text == "one")
    let second = try #require(RawClient.ask(server.port, "GET", "/"))
    #expect(second.status == 403)
    #expect(second["Content-Type"] == "application/json;charset=UTF-8")
    #expect(RawClient.ask(server.port, "GET", "/")?.status == 500)
  }

  @Test func `a dropped answer ends the connection without a byte`() throws {
    let server = try serving(.text("first"), .dropped)
    let client = try #require(RawClient(server.port))
    #expect(client.ask("GET", "/")?.text == "first")
    #expect(client.ask("GET", "/") == nil)
    #expect(client.readToEnd().isEmpty)
    #expect(server.requests.map(\.connection) == [1, 1])
  }

  @Test func `a truncated body promises more than it brings`() throws {
    let server = try serving(.text("0123456789").truncated(after: 4))
    let client = try #require(RawClient(server.port))
    client.send("GET / HTTP/1.1\r\n\r\n")
    let text = String(decoding: client.readToEnd(), as: UTF8.self)
    #expect(text.contains("Content-Length: 10\r\n"))
    #expect(text.hasSuffix("\r\n\r\n0123"))
  }

  @Test func `raw bytes go out untouched`() throws {
    let server = try serving(.raw("SSH-2.0-nonsense\r\n".utf8))
    let client = try #require(RawClient(server.port))
    client.send("GET / HTTP/1.1\r\n\r\n")
    #expect(client.readToEnd() == Array("SSH-2.0-nonsense\r\n".utf8))
  }

  @Test func `a closing answer says so and ends the connection`() throws {
    let server = try serving(.text("bye").closing(), .text("never"))
    let client = try #require(RawClient(server.port))
    #expect(client.ask("GET", "/")?["Connection"] == "close")
    #expect(client.readToEnd().isEmpty)
  }

  @Test func `a huge body arrives in full`() throws {
    let server = try serving(.huge(200 << 20, type: "text/html").closing())
    let client = try #require(RawClient(server.port))
    client.send("GET / HTTP/1.1\r\n\r\n")
    let answer = try #require(client.readAnswer(hasBody: false))
    #expect(answer["Content-Length"] == "209715200")
    #expect(client.countToEnd() == 200 << 20)
  }

  @Test func `a client may leave in the middle of a huge body`() throws {
    let server = try serving(.huge(200 << 20, type: "text/html"), .text("still here"))
    RawClient(server.port)?.send("GET / HTTP/1.1\r\n\r\n")
    #expect(RawClient.ask(server.port, "GET", "/") != nil)
    server.stop()
  }

  @Test func `a redirect carries its location and cookies`() throws {
    let server = try serving(
      .redirect(to: "/c", fields: ["Set-Cookie": "a=1", "Set-Cookie": "b=2"]))
    let answer = try #require(RawClient.ask(server.port, "GET", "/"))
    #expect(answer.status == 302)
    #expect(answer["Location"] == "/c")
    #expect(answer.values("Set-Cookie") == ["a=1", "b=2"])
  }
}
