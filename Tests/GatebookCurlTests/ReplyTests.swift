internal import GatebookAuthentication
internal import GatebookCurl
internal import GatebookEvents
internal import Testing

@Suite(.timeLimit(.minutes(10)))
struct ReplyTests {
  private func reply(
    _ method: String = "GET", to answer: String, then bytes: [UInt8] = []
  ) async throws -> HTTPReply {
    let script: RawPeer.Script = { connection in
      guard connection.readRequest() != nil else { return }
      _ = connection.send(Array(answer.utf8) + bytes)
    }
    return try await RawPeer.run(script) { peer in
      try await CurlTransport.forTests().send(HTTPRequest(method, try peer.url()))
    }
  }

  @Test(arguments: [200, 204, 206, 301, 302, 307, 401, 403, 404, 407, 429, 500, 503, 599])
  func `every final status is an answer`(_ status: Int) async throws {
    let reply = try await reply(
      to: "HTTP/1.1 \(status) Any Words\r\nX-A: 1\r\nContent-Length: 0\r\n\r\n")
    #expect(reply.status == status)
    #expect(reply.fields.first("x-a") == "1")
  }

  @Test
  func `a redirect is not followed and its target arrives intact`() async throws {
    let target = "app.example:/back?code=1%20&state=ü"
    let reply = try await reply(
      to: "HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")
    #expect(reply.status == 302)
    #expect(reply.fields.values(of: "Location") == [target])
  }

  @Test
  func `fields keep their order and duplicates`() async throws {
    let reply = try await reply(
      to: """
        HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nX-A:  spaced \t\r\nSet-Cookie: b=2; Path=/\r
        X-Empty:\r\nbad name: x\r\nContent-Length: 0\r\n\r\n
        """)
    #expect(
      reply.fields == [
        HTTPField("Set-Cookie", "a=1"), HTTPField("X-A", "spaced"),
        HTTPField("Set-Cookie", "b=2; Path=/"), HTTPField("X-Empty", ""),
        HTTPField("Content-Length", "0"),
      ])
  }

  @Test
  func `interim answers leave no trace`() async throws {
    let reply = try await reply(
      to: """
        HTTP/1.1 100 Continue\r\nX-Interim: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r
        HTTP/1.1 200 OK\r\nX-Final: 1\r\nContent-Length: 2\r\n\r\nok
        """)
    #expect(reply.status == 200)
    #expect(reply.fields.map(\.name) == ["X-Final", "Content-Length"])
    #expect(reply.body == Array("ok".utf8))
  }

  @Test
  func `chunks are joined, and trailers are not taken for header fields`() async throws {
    let reply = try await reply(
      to: """
        HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Set-Cookie\r\n\r
        4\r\ngate\r\n4;x=y\r\nbook\r\n0\r\nSet-Cookie: evil=1\r\n\r\n
        """)
    #expect(reply.body == Array("gatebook".utf8))
    #expect(reply.fields.values(of: "Set-Cookie").isEmpty)
  }

  @Test
  func `a compressed body arrives decompressed`() async throws {
    // '{"hello":"gatebook"}' three times.
    let gzip: [UInt8] = [
      31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 202, 72, 205, 201, 201, 87, 178, 82, 74, 79, 44, 73,
      77, 202, 207, 207, 86, 170, 173, 38, 82, 12, 0, 37, 11, 37, 47, 60, 0, 0, 0,
    ]
    let reply = try await reply(
      to: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzip.count)\r\n\r\n",
      then: gzip)
    #expect(reply.body == Array(String(repeating: #"{"hello":"gatebook"}"#, count: 3).utf8))
  }

  @Test
  func `an answer to HEAD has no body, whatever its length says`() async throws {
    let reply = try await reply("HEAD", to: "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n")
    #expect(reply.status == 200)
    #expect(reply.body.isEmpty)
    #expect(reply.fields.first("Content-Length") == "500")
  }

  @Test
  func `a body without length ends with the connection`() async throws {
    let reply = try await reply(to: "HTTP/1.0 200 OK\r\n\r\nold school")
    #expect(reply.body == Array("old school".utf8))
  }

  @Test
  func `field bytes that are not UTF-8 are read as ISO-8859-1`() async throws {
    let reply = try await reply(
      to: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-U: ü\r\nX-L: ", then: [0xfc, 13, 10, 13, 10])
    #expect(reply.fields.first("X-U") == "ü")
    #expect(reply.fields.first("X-L") == "ü")
  }

  @Test
  func `a folded field is one value`() async throws {
    let reply = try await reply(
      to: "HTTP/1.1 200 OK\r\nX-F: one\r\n\t two\r\nContent-Length: 0\r\n\r\n")
    #expect(reply.fields.first("X-F") == "one two")
  }
}
