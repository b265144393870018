import Gatebook
import GatebookProxy
import Testing

struct AnswerHeadTests {
  private static func answer(
    _ reply: HTTPReply, _ request: String = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
  ) throws -> AnswerHead {
    let url = try #require(HTTPURL("https://api.example/a/b"))
    return AnswerHead(reply, to: url, for: try SentRequest(request).head, isLast: false)
  }

  @Test func `an answer keeps what is the program's, and nothing of the session`() throws {
    var reply = HTTPReply(status: 200, body: Array("hello".utf8))
    reply.fields = [
      HTTPField("Content-Type", "text/plain"), HTTPField("Set-Cookie", "secret=1"),
      HTTPField("Transfer-Encoding", "chunked"), HTTPField("Connection", "X-Hop"),
      HTTPField("X-Hop", "1"), HTTPField("DPoP-Nonce", "secret"), HTTPField("Alt-Svc", "h3"),
      HTTPField("Authentication-Info", "secret"), HTTPField("Strict-Transport-Security", "a"),
      HTTPField("Gatebook-Error", "session.refused"),
      HTTPField("Content-Length", "9"), HTTPField("ETag", "\"a\""),
    ]
    let text = String(decoding: try Self.answer(reply).bytes, as: UTF8.self)
    #expect(
      text
        == "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nETag: \"a\"\r\nContent-Length: 5\r\n\r\n"
    )
  }

  @Test(arguments: [
    ("https://api.example/x?y=1", "/x?y=1"), ("x", "/a/x"), ("/x", "/x"), ("?q", "/a/b?q"),
    ("https://other.example/x", "https://other.example/x"),
    ("//other.example/x", "//other.example/x"),
    ("http://api.example/x", "http://api.example/x"),
    ("https://api.example//other.example/x", "/.//other.example/x"),
  ])
  func `a redirect at the server leads to the proxy again`(_ given: String, _ shown: String) throws
  {
    let reply = HTTPReply(status: 303, fields: [HTTPField("Location", given)])
    #expect(try Self.answer(reply).fields.first("Location") == shown)
  }

  @Test func `an answer says where it ends`() throws {
    let head = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n"
    let old = "GET / HTTP/1.0\r\n\r\n"
    let length = [HTTPField("Content-Length", "12")]
    let coded = length + [HTTPField("Content-Encoding", "gzip")]
    var streamed = HTTPReply(status: 200)
    streamed.isStreamed = true
    var long = HTTPReply(status: 200, fields: length)
    long.isStreamed = true
    var decoded = HTTPReply(status: 200, fields: coded)
    decoded.isStreamed = true
    #expect(try Self.answer(streamed).framing == .chunked)
    #expect(try Self.answer(streamed, old).framing == .connection)
    #expect(try Self.answer(streamed, old).isLast)
    #expect(try Self.answer(long).framing == .length(12))
    #expect(try Self.answer(decoded).framing == .chunked)
    #expect(try Self.answer(decoded).fields.first("Content-Encoding") == nil)
    #expect(try Self.answer(HTTPReply(status: 304, fields: length)).framing == .none)
    #expect(try Self.answer(HTTPReply(status: 204)).framing == .none)
    let asked = try Self.answer(HTTPReply(status: 200, fields: length), head)
    #expect(asked.framing == .none)
    #expect(asked.fields == length)
    let closing = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    #expect(try Self.answer(HTTPReply(status: 200), closing).isLast)
    #expect(try !Self.answer(HTTPReply(status: 200)).isLast)
  }

  @Test(arguments: ProxyRefusal.allCases)
  func `a refusal is an answer that programs and people can read`(_ refusal: ProxyRefusal) throws {
    let answer = ErrorAnswer(refusal)
    #expect((400...505).contains(answer.status))
    let error = try #require(Facts(decoding: answer.body.dropLast())?["error"]?.object)
    #expect(error["code"]?.text == "proxy.\(refusal.rawValue)")
    #expect(error["kept"]?.text == "Nothing was sent to the server.")
    #expect(error["remedy"]?.text?.isEmpty == false)
    #expect(answer.fields.first("Gatebook-Error") == "proxy.\(refusal.rawValue)")
  }

  @Test(arguments: [
    (FailureCode.sessionRefused, 401), (.loginUnprovable, 401), (.challengeUnhandled, 401),
    (.networkUnreachable, 502), (.tlsUntrusted, 502), (.contentUnexpected, 502),
    (.limitExceeded, 502), (.identityMismatch, 502), (.serverUnavailable, 503),
    (.storageBusy, 503), (.keyLocked, 503), (.cancelled, 503), (.originForeign, 403),
    (.configurationInvalid, 500),
  ])
  func `a failure has the status that fits it`(_ code: FailureCode, _ status: Int) {
    var error = GatebookError(code, "What happened.", kept: "What was kept.", remedy: "What to do.")
    error.retryAfter = .seconds(7)
    let answer = ErrorAnswer(error)
    #expect(answer.status == status)
    #expect(answer.fields.first("Retry-After") == "7")
  }
}
