import GatebookFakes
import Testing

@Suite struct LoopbackServerTests {
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer { request in
      .text("\(request.method) \(request.target) \(request.text)").with("X-Handled", "yes")
    }
    try server.start()
  }

  @Test func `the handler answers what the client sent`() throws {
    let answer = try #require(
      RawClient.ask(server.port, "POST", "/a?b=c", [("X-One", " 1 ")], body: "hello"))
    #expect(answer.status == 200)
    #expect(answer.text == "POST /a?b=c hello")
    #expect(answer["X-Handled"] == "yes")
    #expect(answer["Server"] == "Gatebook loopback server")
    #expect(answer["Date"]?.hasSuffix(" GMT") == true)
    let request = try #require(server.requests.first)
    #expect(request.path == "/a")
    #expect(request.query == "b=c")
    #expect(request.fields["x-one"] == "1")
    #expect(request.body == Array("hello".utf8))
  }

  @Test func `a connection is used for many requests and counted`() throws {
    let client = try #require(RawClient(server.port))
    for number in 1...3 { #expect(client.ask("GET", "/\(number)")?.status == 200) }
    #expect(RawClient.ask(server.port, "GET", "/4")?.status == 200)
    #expect(server.requests.map(\.connection) == [1, 1, 1, 2])
    #expect(server.requests.map(\.number) == [1, 2, 3, 4])
  }

  @Test func `requests that arrive together are answered in order`() throws {
    let client = try #require(RawClient(server.port))
    client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.readAnswer()?.text == "GET /1 ")
    #expect(client.readAnswer()?.text == "GET /2 ")
  }

  @Test func `a request may arrive byte by byte`() throws {
    let client = try #require(RawClient(server.port))
    for byte in "PUT /x HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc".utf8 { client.send([byte]) }
    #expect(client.readAnswer()?.text == "PUT /x abc")
  }

  @Test func `HEAD has a length but no body`() throws {
    let client = try #require(RawClient(server.port))
    let answer = try #require(client.ask("HEAD", "/"))
    #expect(answer["Content-Length"] == "7")
    #expect(client.ask("GET", "/")?.text == "GET / ")
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", true), ("GET / HTTP/1.0\r\n\r\n", true),
    ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", false),
  ])
  func `the client says whether the connection ends`(_ text: String, _ ends: Bool) throws {
    let client = try #require(RawClient(server.port))
    client.send(text)
    let answer = try #require(client.readAnswer())
    #expect((answer["Connection"] == "close") == ends)
    #expect((client.ask("GET", "/") == nil) == ends)
  }

  @Test(arguments: [
    ("nonsense\r\n\r\n", 400), ("GET / HTTP/2\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nA : b\r\n\r\n", 400), ("GET / HTTP/1.1\r\n folded\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400),
    ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", 400),
    ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n", 413),
  ])
  func `what is not understood is refused and the connection ends`(
    _ text: String, _ status: Int
  ) throws {
    let client = try #require(RawClient(server.port))
    client.send(text)
    #expect(client.readAnswer()?.status == status)
    #expect(client.readToEnd().isEmpty)
    #expect(server.requests.isEmpty)
  }

  @Test func `a header beyond the limit is refused`() throws {
    let client = try #require(RawClient(server.port))
    client.send("GET / HTTP/1.1\r\nCookie: " + String(repeating: "a", count: 3 << 20) + "\r\n\r\n")
    #expect(client.readAnswer()?.status == 431)
  }

  @Test func `a client that waits for 100 Continue gets it`() throws {
    let client = try #require(RawClient(server.port))
    client.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    #expect(client.readAnswer(hasBody: false)?.status == 100)
    client.send("ok")
    #expect(client.readAnswer()?.text == "POST / ok")
  }

  @Test func `many clients are served at once`() async throws {
    let port = server.port
    let texts = await withTaskGroup(of: String?.self) { group in
      for number in 1...40 { group.addTask { RawClient.ask(port, "GET", "/\(number)")?.text } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(texts == Set((1...40).map { "GET /\($0) " }))
    #expect(Set(server.requests.map(\.number)) == Set(1...40))
  }

  @Test func `a test that waits for requests continues when they have come`() async throws {
    let (server, port) = (server, server.port)
    async let seen = server.requests(atLeast: 2)
    for target in ["/a", "/b"] { _ = RawClient.ask(port, "GET", target) }
    #expect(await seen.map(\.target) == ["/a", "/b"])
    server.forgetRequests()
    #expect(server.requests.isEmpty)
  }
}
