import Gatebook
import GatebookFakes
import GatebookSystem
import GatebookTestSupport
import Glibc
import Testing

/// Requests whose bodies are read while they are sent, and answers that a sink takes.
@Suite struct StreamedRequestTests {
  private static let body = Array("a body that counts".utf8)

  private func data() throws -> HTTPRequest {
    HTTPRequest("POST", try #require(HTTPURL("\(TokenServer.site)/data")))
  }

  /// Longer than what is read into memory.
  private static let long = [UInt8](repeating: UInt8(ascii: "x"), count: (1 << 20) + 70_000)

  /// A body that can be read once.
  private func pipe(_ bytes: [UInt8] = body, by size: Int = 4) -> BodySource {
    let rest = Locked(bytes[...])
    return BodySource { (buffer) throws(GatebookError) in
      let piece = rest.withLock { rest in
        let piece = rest.prefix(min(size, buffer.count))
        rest = rest.dropFirst(piece.count)
        return piece
      }
      buffer.copyBytes(from: piece)
      return piece.count
    }
  }

  private func stage() async throws -> (world: TestBook, server: TokenServer, book: SessionBook) {
    let (world, server, _) = try await TokenServer.stage()
    let book = try await world.open(StreamingLine(transport: server.transport))
    _ = try await book.logIn(server.method())
    return (world, server, book)
  }

  /// A new file beside the book.
  private func file(_ bytes: [UInt8], _ world: TestBook) throws -> String {
    let path = "\(world.path).body"
    try TestFile(bytes: bytes).write(to: path)
    return path
  }

  @Test func `a body that can be read once is sent after the server confirmed the session`()
    async throws
  {
    let (world, server, book) = try await stage()
    defer { withExtendedLifetime(world) {} }
    // The book does not know yet that the server takes the access token no longer.
    server.endTokens()
    var request = try data()
    request.source = pipe(Self.long, by: 50_000)
    #expect(try await book.send(request).status == 200)
    let sent = server.sent("/data")
    #expect(sent.map(\.body) == [Self.long])
    #expect(server.refreshTokensSent.count == 1)
  }

  @Test func `a short body is read into memory, also from a pipe, and sent again`() async throws {
    let (world, server, book) = try await stage()
    defer { withExtendedLifetime(world) {} }
    server.endTokens()
    var request = try data()
    request.source = pipe()
    #expect(try await book.send(request).status == 200)
    #expect(server.sent("/data").map(\.body) == [Self.body, Self.body])
  }

  @Test func `a refused request is not repeated when its body is gone`() async throws {
    let (world, server, _) = try await TokenServer.stage()
    let refused = TestBox(0)
    let inner = server.transport
    let book = try await world.open(
      StreamingLine(
        transport: ScriptedTransport { request, route throws(TransportFailure) in
          guard request.url.path == "/data" else {
            return try await inner.send(request, through: route)
          }
          refused.withLock { $0 += 1 }
          return HTTPReply(status: 401)
        }))
    let ada = try await book.logIn(server.method()).account
    var request = try data()
    request.source = pipe(Self.long, by: 50_000)
    let reply = try await book.send(request)
    #expect(reply.status == 401)
    #expect(reply.isUnrepeated)
    #expect(refused.value == 1)
    #expect(!request.canBeSent)
    // The session was renewed: the next request needs no other try.
    #expect(server.refreshTokensSent.count == 1)
    #expect(try await book.context(of: ada).state.isUsable)
    // The new access token is refused too: no other one is requested within a minute.
    request.source = try .parts([.bytes(Self.body)])
    #expect(try await book.send(request).status == 401)
    #expect(refused.value == 2)
    // One that can be read again is sent again, with a new access token.
    server.advance(61)
    request.source = try .parts([.bytes(Self.body)])
    #expect(try await book.send(request).status == 401)
    #expect(refused.value == 4)
  }

  @Test func `a body that can be read again is sent again as a whole`() async throws {
    let (world, server, book) = try await stage()
    let file = try file(Array("from a file".utf8), world)
    server.endTokens()
    var request = try data()
    request.source = try .parts([.bytes(Array("first, ".utf8)), .file(file)])
    #expect(request.source?.count == 18)
    #expect(try await book.send(request).status == 200)
    let bodies = server.sent("/data").map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies == ["first, from a file", "first, from a file"])
  }

  @Test func `a transport that cannot stream gets the body in memory`() async throws {
    let (world, server, book) = try await TokenServer.stage()
    defer { withExtendedLifetime(world) {} }
    _ = try await book.logIn(server.method())
    var request = try data()
    request.source = pipe()
    #expect(try await book.send(request).status == 200)
    #expect(server.sent("/data").map(\.body) == [Self.body])
  }

  @Test func `the sink gets the body of a success, and the caller that of any other answer`()
    async throws
  {
    let (world, server, _) = try await TokenServer.stage()
    let inner = server.transport
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        switch request.url.path {
        case "/good": HTTPReply(status: 201, body: Self.body)
        case "/bad": HTTPReply(status: 404, body: Self.body)
        default: try await inner.send(request, through: route)
        }
      })
    _ = try await book.logIn(server.method())
    let taken = TestBox<[UInt8]>([])
    let heads = TestBox<[Int]>([])
    for (path, status) in [("/good", 201), ("/bad", 404)] {
      taken.value = []
      heads.value = []
      var request = HTTPRequest.get(try #require(HTTPURL(TokenServer.site + path)))
      request.sink = BodySink(
        begin: { (reply) throws(GatebookError) in heads.withLock { $0.append(reply.status) } },
        receive: { (piece) throws(GatebookError) in taken.withLock { $0 += piece } })
      let reply = try await book.send(request)
      #expect(reply.status == status)
      let isGood = status == 201
      #expect(reply.isStreamed == isGood)
      #expect(reply.body == (isGood ? [] : Self.body))
      #expect(taken.value == (isGood ? Self.body : []))
      #expect(heads.value == (isGood ? [201] : []))
    }
  }

  @Test func `a signed form is read into memory first, up to a limit`() async throws {
    let world = try TestBook()
    let server = SignedServer(world.clock)
    let book = try await world.open(StreamingLine(transport: server.transport))
    _ = try await book.beginLogIn(.signed())
    _ = try await book.finishLogIn(redirect: "app://back?oauth_token=tmp&oauth_verifier=v")
    var request = HTTPRequest(
      "POST", try #require(HTTPURL("https://api.example/photos")),
      fields: [HTTPField("Content-Type", "application/x-www-form-urlencoded")])
    let form = Locked(["a=1", ""][...])
    request.source = BodySource { (buffer) throws(GatebookError) in
      let piece = Array((form.withLock { $0.popFirst() } ?? "").utf8)
      buffer.copyBytes(from: piece)
      return piece.count
    }
    #expect(try await book.send(request).status == 200)
    #expect(server.transport.requests.last?.body == Array("a=1".utf8))
    let before = server.transport.requests.count
    request.source = BodySource { (buffer) throws(GatebookError) in buffer.count }
    let refused = await #expect(throws: GatebookError.self) { try await book.send(request) }
    #expect(refused?.code == .limitExceeded)
    #expect(refused?.message.contains("64 MiB") == true)
    #expect(server.transport.requests.count == before)
  }

  @Test func `a body that Digest protects is read into memory, before and after the challenge`()
    async throws
  {
    let world = try TestBook()
    let challenge = HTTPField(
      "WWW-Authenticate",
      #"Digest realm="r", nonce="n", qop="auth-int", algorithm=SHA-256"#)
    let bodies = TestBox<[(isAnswer: Bool, body: [UInt8])]>([])
    let line = StreamingLine(
      transport: ScriptedTransport { request, _ throws(TransportFailure) in
        let isAnswer = request.fields.first("Authorization") != nil
        bodies.withLock { $0.append((isAnswer, request.body)) }
        return isAnswer ? HTTPReply(status: 200) : HTTPReply(status: 401, fields: [challenge])
      })
    let book = try await world.open(line)
    let url = try #require(HTTPURL("https://files.example/"))
    _ = try await book.logIn(.http(url: url, user: "ada", password: Secret("secret")))
    await book.close()
    let later = try await world.open(line)
    for _ in 1...2 {
      bodies.value = []
      var request = HTTPRequest("POST", url)
      request.source = try .parts([.bytes(Self.body)])
      #expect(try await later.send(request).status == 200)
      #expect(bodies.value.last?.isAnswer == true)
      #expect(bodies.value.last?.body == Self.body)
    }
  }

  @Test func `a long body from a pipe answers a challenge of Digest`() async throws {
    let world = try TestBook()
    let challenge = HTTPField(
      "WWW-Authenticate", #"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"#)
    let bodies = TestBox<[[UInt8]]>([])
    let book = try await world.open(
      StreamingLine(
        transport: ScriptedTransport { request, _ throws(TransportFailure) in
          guard request.fields.first("Authorization") != nil else {
            return HTTPReply(status: 401, fields: [challenge])
          }
          bodies.withLock { $0.append(request.body) }
          return HTTPReply(status: 200)
        }))
    let url = try #require(HTTPURL("https://files.example/"))
    _ = try await book.logIn(.http(url: url, user: "ada", password: Secret("secret")))
    await book.close()
    let later = try await world.open(
      StreamingLine(
        transport: ScriptedTransport { request, _ throws(TransportFailure) in
          guard request.fields.first("Authorization") != nil else {
            return HTTPReply(status: 401, fields: [challenge])
          }
          bodies.withLock { $0.append(request.body) }
          return HTTPReply(status: 200)
        }))
    var request = HTTPRequest("POST", url)
    request.source = pipe(Self.long, by: 50_000)
    #expect(try await later.send(request).status == 200)
    #expect(bodies.value.last == Self.long)
  }

  @Test(arguments: [
    "/proc/version", "/proc/self/limits", "/sys/kernel/mm/transparent_hugepage/enabled",
  ])
  func `a file has what is in it, whatever size it claims`(_ path: String) async throws {
    let content = TestFile.read(path).bytes
    // A container may hide it.
    guard !content.isEmpty else { return }
    let (world, server, book) = try await stage()
    defer { withExtendedLifetime(world) {} }
    var request = try data()
    request.source = try .file(path)
    #expect(try await book.send(request).status == 200)
    #expect(server.sent("/data").map(\.body) == [content])
  }

  @Test func `a file that became shorter, or cannot be opened, is an error`() async throws {
    let (world, server, book) = try await stage()
    let file = try file(Self.long, world)
    var request = try data()
    request.source = try .parts([.file(file)])
    #expect(truncate(file, 1) == 0)
    let shorter = await #expect(throws: GatebookError.self) { try await book.send(request) }
    #expect(shorter?.code == .configurationInvalid)
    #expect(server.sent("/data").isEmpty)
    for path in [file + ".none", "/"] {
      #expect(throws: GatebookError(.configurationInvalid, "", remedy: "")) {
        try BodySource.parts([.file(path)])
      }
    }
  }
}
