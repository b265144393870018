import GatebookProxy
import Testing

struct ChunkReaderTests {
  private static func read(
    _ text: String, in pieces: Int
  ) throws(ProxyRefusal) -> (body: String, taken: Int, isEnded: Bool) {
    var reader = ChunkReader()
    var body: [UInt8] = []
    var taken = 0
    let bytes = Array(text.utf8)
    while taken < bytes.count, !reader.isEnded {
      let end = min(bytes.count, taken + pieces)
      taken += try reader.take(bytes[taken..<end], into: &body)
    }
    return (String(decoding: body, as: UTF8.self), taken, reader.isEnded)
  }

  @Test(arguments: [1, 2, 3, 1000])
  func `chunks become the body, however they come`(_ pieces: Int) throws {
    let text = "3\r\nabc\r\n00A;x=\"y\"\r\n0123456789\r\n0\r\nX-Trailer: a\r\nX-B: c\r\n\r\n"
    let read = try Self.read(text + "GET / HTTP/1.1", in: pieces)
    #expect(read.body == "abc0123456789")
    #expect(read.taken == text.utf8.count)
    #expect(read.isEnded)
  }

  @Test(arguments: [
    "3\nabc\n0\n\n", "3\r\nabc0\r\n\r\n", "3\r\nabcd\r\n0\r\n\r\n", "-1\r\na\r\n", "+1\r\na\r\n",
    "0x1\r\na\r\n", " 1\r\na\r\n", "1 \r\na\r\n", "\r\n", ";x\r\n", "g\r\n",
    "1000000000000000\r\n", "1\r\r\na", "1;a\nb\r\na\r\n", "1;\u{0}\r\na\r\n", "0\r\n\n",
    "0\r\n\r\r\n",
  ])
  func `what is no chunk is refused`(_ text: String) {
    for pieces in [1, 1000] {
      #expect(
        refusal { () throws(ProxyRefusal) in try Self.read(text, in: pieces) } == .framing)
    }
  }

  @Test func `a trailer is checked, and has a limit`() {
    #expect(
      refusal { () throws(ProxyRefusal) in try Self.read("0\r\nX A: b\r\n\r\n", in: 9) }
        == .malformed)
    let long = "0\r\n" + String(repeating: "X-A: b\r\n", count: 2000)
    #expect(refusal { () throws(ProxyRefusal) in try Self.read(long, in: 99) } == .headerTooLong)
    let text = "1;\(String(repeating: "a", count: 1000))\r\n"
    #expect(refusal { () throws(ProxyRefusal) in try Self.read(text, in: 99) } == .framing)
  }
}
