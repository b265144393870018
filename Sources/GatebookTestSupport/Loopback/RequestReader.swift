/// Reads requests from a connection, one after the other, without ever reading more than the limits.
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

  private let stream: any LoopbackStream
  private let limits: LoopbackLimits
  private var buffer: [UInt8] = []

  init(_ stream: any LoopbackStream, limits: LoopbackLimits) {
    self.stream = stream
    self.limits = limits
  }

  /// Waits for the next request.
  mutating func next() -> Arrival {
    var searched = 0
    var end: Int?
    while end == nil {
      end = endOfHead(from: searched)
      if end != nil { break }
      guard buffer.count <= limits.header else { return .refused(431) }
      searched = max(0, buffer.count - 3)
      guard fill() else { return .end }
      guard buffer.first != Self.tlsRecord else { return .refused(400) }
    }
    guard let end, end <= limits.header else { return .refused(431) }
    guard let head = RequestHead(buffer[..<end]) else { return .refused(400) }
    buffer.removeFirst(end + 4)
    return readBody(of: head)
  }

  private mutating func readBody(of head: RequestHead) -> Arrival {
    // RFC 9112 section 6.1: a coding that is not understood is answered with 501.
    guard head.fields["Transfer-Encoding"] == nil else { return .refused(501) }
    guard let length = head.bodyLength else { return .refused(400) }
    guard length <= limits.body else { return .refused(413) }
    if length > 0, head.fields["Expect"]?.lowercased() == "100-continue" {
      guard stream.send("HTTP/1.1 100 Continue\r\n\r\n".utf8) else { return .end }
    }
    while buffer.count < length {
      guard fill() else { return .end }
    }
    let body = Array(buffer[..<length])
    buffer.removeFirst(length)
    return .request(head, body: body)
  }

  private mutating func fill() -> Bool {
    let bytes = stream.receive()
    buffer.append(contentsOf: bytes)
    return !bytes.isEmpty
  }

  private func endOfHead(from start: Int) -> Int? {
    buffer.withUnsafeBufferPointer { bytes in
      var index = start
      while index + 4 <= bytes.count {
        if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D,
          bytes[index + 3] == 0x0A
        {
          return index
        }
        index += 1
      }
      return nil
    }
  }
}
