import Gatebook
import GatebookProxy
import Testing

struct RequestHeadTests {
  @Test(
    arguments: [
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\n", .framing),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n", .framing),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        .framing
      ),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n", .framing),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .framing),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", .framing),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n",
        .framing
      ),
      ("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", .framing),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\u{B}chunked\r\n\r\n", .malformed),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\n", .framing),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\n", .framing),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x3\r\n\r\n", .framing),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\n", .framing),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \r\n\r\n", .framing),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999999999999\r\n\r\n", .framing),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3 \u{661}\r\n\r\n", .framing),
      ("GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n", .malformed),
      ("GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n\tc\r\n\r\n", .malformed),
      ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", .malformed),
      ("GET / HTTP/1.1\nHost: a\n\n", .malformed),
      ("GET / HTTP/1.1\r\nHost: a\n\r\n", .malformed),
      ("GET / HTTP/1.1\r\nHost: a\r\nX-A: b\rc\r\n\r\n", .malformed),
      ("GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\r\n\r\n", .malformed),
      ("GET / HTTP/1.1\r\nHost: a\r\nX-A: b\u{0}c\r\n\r\n", .malformed),
      ("GET / HTTP/1.1\r\nHost: a\r\nX-A: b\u{7F}c\r\n\r\n", .malformed),
      ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .malformed),
      ("GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", .malformed),
      ("GET / HTTP/1.1\r\nHost: a\r\nX(A: b\r\n\r\n", .malformed),
      ("GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", .malformed),
      ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
      ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", .malformed),
      ("GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
      ("GET /\u{E9} HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
      ("GET /\r\nHost: a\r\n\r\n", .malformed),
      ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
      ("GET / http/1.1\r\nHost: a\r\n\r\n", .malformed),
      ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", .version),
      ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .version),
      ("GET / HTTP/1.10\r\nHost: a\r\n\r\n", .version),
      ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
      ("\u{16}\u{3}\u{1}\u{2}", .malformed),
    ] as [(String, ProxyRefusal)])
  func `what two programs could read differently is refused`(
    _ text: String, _ expected: ProxyRefusal
  ) {
    #expect(refusal { () throws(ProxyRefusal) in try SentRequest(text) } == expected)
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", BodyFraming.none),
    ("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .none),
    ("GET / HTTP/1.0\r\n\r\n", .none),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", .none),
    ("POST / HTTP/1.1\r\nHost: a\r\ncontent-length:\t12 \r\n\r\n", .length(12)),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n", .chunked),
  ])
  func `a valid request says where its body ends`(_ text: String, _ expected: BodyFraming) throws {
    #expect(try SentRequest(text).framing == expected)
  }

  @Test func `a header that comes byte by byte is read as one that comes at once`() throws {
    let text = "PUT /a?b HTTP/1.1\r\nHost: a\r\nX-A:  b c \r\nX-Empty:\r\n\r\nrest"
    let bytes = Array(text.utf8)
    var scan = HeadScan()
    var end: Int?
    for count in 1...bytes.count where end == nil {
      end = try scan.next(Array(bytes[..<count]))
    }
    #expect(end == bytes.count - 4)
    let head = try RequestHead(bytes[..<(end ?? 0)])
    #expect(head == (try SentRequest(text).head))
    #expect(head.method == "PUT")
    #expect(head.target == "/a?b")
    #expect(head.fields.map(\.value) == ["a", "b c", ""])
  }

  @Test func `a header has limits`() {
    let line = String(repeating: "a", count: HeadScan.longestLine)
    let fields = (0...HeadScan.mostFields).map { "X-\($0): b\r\n" }.joined()
    let many = (0..<100_000).map { "X-\($0): b\r\n" }.joined()
    let long = String(repeating: "X-A: \(String(repeating: "b", count: 8000))\r\n", count: 9)
    for (text, expected) in [
      ("GET /\(line) HTTP/1.1\r\n", ProxyRefusal.targetTooLong),
      ("GET / HTTP/1.1\r\nX-A: \(line)\r\n", .headerTooLong),
      ("GET / HTTP/1.1\r\n\(fields)\r\n", .headerTooLong),
      ("GET / HTTP/1.1\r\n\(many)\r\n", .headerTooLong),
      ("GET / HTTP/1.1\r\n\(long)\r\n", .headerTooLong),
    ] {
      #expect(refusal { () throws(ProxyRefusal) in try SentRequest(text) } == expected)
    }
  }

  @Test func `bytes that are no UTF-8 are refused, because they would be sent as others`() {
    let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nX-A: ".utf8) + [0xE9] + Array("\r\n\r\n".utf8)
    #expect(refusal { () throws(ProxyRefusal) in try SentRequest(bytes) } == .malformed)
  }

  @Test func `random bytes never trap`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let count = Int.random(in: 0...300, using: &random)
      var bytes = (0..<count).map { _ in
        Array("GET /HTT.1\r\n: ;,=0\u{0}\u{7F}\tfchunked".utf8).randomElement(using: &random) ?? 0
      }
      bytes += Array("\r\n\r\n".utf8)
      _ = refusal { () throws(ProxyRefusal) in try SentRequest(bytes) }
      var chunks = ChunkReader()
      var body: [UInt8] = []
      _ = refusal { () throws(ProxyRefusal) in try chunks.take(bytes[...], into: &body) }
    }
  }
}
