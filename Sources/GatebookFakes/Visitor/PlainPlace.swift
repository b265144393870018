/// A URL of plain HTTP on 127.0.0.1, taken apart.
struct PlainPlace: Sendable {
  var host: String
  var port: UInt16
  /// Path and query; at least `/`.
  var target: String

  /// Reads a URL, without its fragment; `nil` unless it is plain HTTP on 127.0.0.1 or localhost.
  init?(_ url: String) {
    guard url.lowercased().hasPrefix("http://") else { return nil }
    let rest = url.dropFirst("http://".count).prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
    guard let name = parts.first, ["127.0.0.1", "localhost"].contains(name), parts.count <= 2,
      let port = parts.count == 2 ? UInt16(parts[1]) : 80
    else { return nil }
    host = String(authority)
    self.port = port
    let tail = String(rest.dropFirst(authority.count))
    target = tail.hasPrefix("/") ? tail : "/\(tail)"
  }

  /// Where a reference leads; `nil` when it leaves this server.
  func resolve(_ reference: String) -> PlainPlace? {
    guard reference.hasPrefix("/"), !reference.hasPrefix("//") else {
      let place = PlainPlace(reference)
      return place?.port == port ? place : nil
    }
    var place = self
    place.target = reference
    return place
  }

  /// Sends one request over a connection of its own and reads the answer to its end; `nil` when
  /// nobody listens or the answer is not whole.
  func ask(_ method: String, _ fields: LoopbackFields, body: String) -> PlainAnswer? {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
    for field in fields.all { text += "\(field.name): \(field.value)\r\n" }
    if method != "GET" { text += "Content-Length: \(body.utf8.count)\r\n" }
    return LoopbackSocket.answer(to: Array("\(text)\r\n\(body)".utf8), from: port)
      .flatMap { PlainAnswer($0) }
  }
}
