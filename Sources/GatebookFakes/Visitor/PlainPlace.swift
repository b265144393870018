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

/// An HTTP answer as the scripted person's client reads it.
struct PlainAnswer: Sendable {
  let status: Int
  let fields: LoopbackFields
  let text: String

  /// Reads a whole answer; `nil` for less than that.
  init?(_ bytes: [UInt8]) {
    let whole = String(decoding: bytes, as: UTF8.self)
    guard let end = whole.firstRange(of: "\r\n\r\n") else { return nil }
    let lines = whole[..<end.lowerBound].split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, let status = Int(words[1]) else { return nil }
    self.status = status
    fields = LoopbackFields(
      lines.dropFirst().map { line in
        let name = line.prefix { $0 != ":" }
        return LoopbackFields.Field(
          String(name), String(line.dropFirst(name.count + 1).drop { $0 == " " }))
      })
    text = String(whole[end.upperBound...])
    let length = fields["Content-Length"].flatMap { Int($0) } ?? 0
    guard text.utf8.count >= length else { return nil }
  }

  /// The first value of a field.
  subscript(name: String) -> String? { fields[name] }
}

/// The scripted person's cookies, by name alone: there is one server, and it sets none for a path.
struct PlainCookies: Sendable {
  private var values: [String: String] = [:]

  /// The `Cookie` field; `nil` without cookies.
  var field: String? {
    let pairs = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
  }

  /// Takes what an answer sets and drops what it takes back.
  mutating func take(from answer: PlainAnswer) {
    for line in answer.fields.values(of: "Set-Cookie") {
      let pair = line.prefix { $0 != ";" }
      let name = pair.prefix { $0 != "=" }
      let isGone = line.contains("; Max-Age=0")
      values[String(name)] = isGone ? nil : String(pair.dropFirst(name.count + 1))
    }
  }
}
