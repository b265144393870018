extension RawClient {
  /// Sends a request over this connection and reads its answer.
  func ask(
    _ method: String, _ target: String, _ fields: [(String, String)] = [], body: String = ""
  ) -> Answer? {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
    send(text + "\r\n" + body)
    return readAnswer(hasBody: method != "HEAD")
  }

  /// Sends a request over a connection of its own and reads its answer.
  static func ask(
    _ port: UInt16, _ method: String, _ target: String, _ fields: [(String, String)] = [],
    body: String = ""
  ) -> Answer? {
    RawClient(port)?.ask(method, target, fields, body: body)
  }
}
