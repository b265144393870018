/// The way from a fault proxy to its server: one connection for each request.
struct ProxyLine: Sendable {
  let port: UInt16

  /// Passes a request on as it came, `Host` included.
  ///
  /// - Parameter request: What the client sent.
  /// - Returns: The answer's bytes up to the end of the connection; `nil` when nobody is there, or
  ///   nothing came.
  func pass(_ request: LoopbackRequest) -> [UInt8]? {
    let answer = LoopbackSocket.answer(to: Self.bytes(of: request), from: port)
    return answer?.isEmpty == false ? answer : nil
  }

  /// The request with a connection of its own, so that the end of the answer is that of the
  /// connection, however the server frames it.
  private static func bytes(of request: LoopbackRequest) -> [UInt8] {
    var head = "\(request.method) \(request.target) HTTP/1.1\r\n"
    for field in request.fields.all where !hopByHop.contains(field.name.lowercased()) {
      head += "\(field.name): \(field.value)\r\n"
    }
    return Array("\(head)Connection: close\r\n\r\n".utf8) + request.body
  }

  /// Fields of one connection alone (RFC 9110 section 7.6.1); the whole body is there already, so
  /// nobody is to be asked whether to send it.
  private static let hopByHop = ["connection", "expect", "keep-alive", "proxy-connection"]

  /// The first half of an answer: its body's, or its header's where it has none.
  static func half(of answer: [UInt8]) -> ArraySlice<UInt8> {
    let ends = answer.indices.dropLast(3).first { answer[$0...].prefix(4) == [13, 10, 13, 10] }
    guard let end = ends.map({ $0 + 4 }), end < answer.count else {
      return answer.prefix(answer.count / 2)
    }
    return answer.prefix(end + (answer.count - end) / 2)
  }
}
