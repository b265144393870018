/// Reads requests from a connection, one after the other, without ever reading more than the
/// limits.
struct RequestReader {
  /// What came.
  enum Arrival {
    /// A whole request.
    case request(RequestHead, body: [UInt8])
    /// Something that is answered with this status and the end of the connection.
    case refused(Int)
    /// The end of the connection.
    case end
  }

  /// The first byte of a TLS handshake (RFC 8446 section 5.1): a client that takes a plain server
  /// for a secure one waits for an answer, and would never send the end of a header.
  private static let tlsRecord: UInt8 = 22

  /// 2 MiB, so that even absurd cookies are read and recorded; beyond, the answer is 431.
  private static let headerLimit = 2 << 20
  /// 16 MiB; beyond, the answer is 413.
  private static let bodyLimit = 16 << 20

  private let stream: any LoopbackStream
  private var buffer: [UInt8] = []

  init(_ stream: any LoopbackStream) {
    self.stream = stream
  }

  /// Waits for the next request.
  mutating func next() -> Arrival {
    var found = MessageHead.end(in: buffer)
    while found == nil, buffer.count <= Self.headerLimit {
      let searched = max(0, buffer.count - 3)
      guard fill() else { return .end }
      guard buffer.first != Self.tlsRecord else { return .refused(400) }
      found = MessageHead.end(in: buffer, from: searched)
    }
    guard let end = found, end <= Self.headerLimit else { return .refused(431) }
    guard let head = RequestHead(buffer[..<end]) else { return .refused(400) }
    buffer.removeFirst(end + 4)
    return readBody(of: head)
  }

  private mutating func readBody(of head: RequestHead) -> Arrival {
    let isExpected = head.fields["Expect"]?.lowercased() == "100-continue"
    if let coding = head.fields["Transfer-Encoding"] {
      // RFC 9112 section 6.1: a coding that is not understood is answered with 501.
      guard coding.lowercased() == "chunked" else { return .refused(501) }
      guard head.fields["Content-Length"] == nil else { return .refused(400) }
      return readChunks(of: head, isExpected: isExpected)
    }
    guard let length = head.bodyLength else { return .refused(400) }
    guard length <= Self.bodyLimit else { return .refused(413) }
    if length > 0, isExpected {
      guard stream.send("HTTP/1.1 100 Continue\r\n\r\n".utf8) else { return .end }
    }
    while buffer.count < length {
      guard fill() else { return .end }
    }
    let body = Array(buffer[..<length])
    buffer.removeFirst(length)
    return .request(head, body: body)
  }

  /// A body in chunks (RFC 9112 section 7.1); extensions and trailers are dropped.
  private mutating func readChunks(of head: RequestHead, isExpected: Bool) -> Arrival {
    if isExpected {
      guard stream.send("HTTP/1.1 100 Continue\r\n\r\n".utf8) else { return .end }
    }
    var body: [UInt8] = []
    while true {
      guard let line = readLine() else { return .end }
      let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
      guard !digits.isEmpty, digits.count < 16,
        let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0
      else { return .refused(400) }
      guard size > 0 else { break }
      guard size <= Self.bodyLimit - body.count else { return .refused(413) }
      while buffer.count < size + 2 {
        guard fill() else { return .end }
      }
      body += buffer[..<size]
      guard buffer[size] == 0x0D, buffer[size + 1] == 0x0A else { return .refused(400) }
      buffer.removeFirst(size + 2)
    }
    while true {
      guard let line = readLine() else { return .end }
      if line.isEmpty { return .request(head, body: body) }
    }
  }

  /// A short line without its end; `nil` at the end of the connection, and for one that is too
  /// long.
  private mutating func readLine() -> [UInt8]? {
    var searched = 0
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        let line = buffer[..<end]
        buffer.removeFirst(end + 1)
        return Array(line.last == 0x0D ? line.dropLast() : line)
      }
      searched = buffer.count
      guard searched <= 1024, fill() else { return nil }
    }
  }

  private mutating func fill() -> Bool {
    let bytes = stream.receive()
    buffer.append(contentsOf: bytes)
    return !bytes.isEmpty
  }
}
