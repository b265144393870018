internal import FoundationEssentials
internal import Gatebook

/// A URL of plain HTTP on 127.0.0.1, taken apart.
struct PlainPlace: Sendable {
  let host: String
  let port: UInt16
  /// Path and query; at least `/`.
  var target: String

  /// Reads a URL, without its fragment; `nil` unless it is plain HTTP on 127.0.0.1 or localhost.
  init?(_ url: String) {
    guard let parts = URLComponents(string: url, encodingInvalidCharacters: false),
      parts.scheme?.lowercased() == "http", let name = parts.host,
      ["127.0.0.1", "localhost"].contains(name), let port = UInt16(exactly: parts.port ?? 80)
    else { return nil }
    host = parts.port == nil ? name : "\(name):\(port)"
    self.port = port
    let path = parts.percentEncodedPath
    target = (path.isEmpty ? "/" : path) + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
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

  /// Sends one request over a connection of its own and reads the answer to its end.
  ///
  /// - Parameters:
  ///   - form: What is posted; `nil` for GET.
  ///   - cookies: Their values by name.
  /// - Returns: The answer.
  /// - Throws: `network.unreachable` when nobody listens or the answer is not whole.
  func ask(
    _ form: String? = nil, cookies: [String: String] = [:]
  ) throws(GatebookError) -> LoopbackReply {
    var lines = ["\(form == nil ? "GET" : "POST") \(target) HTTP/1.1", "Host: \(host)"]
    lines.append("Connection: close")
    if !cookies.isEmpty {
      let pairs = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      lines.append("Cookie: \(pairs.joined(separator: "; "))")
    }
    if let form {
      lines.append("Content-Type: application/x-www-form-urlencoded")
      lines.append("Content-Length: \(form.utf8.count)")
    }
    let sent = (lines + ["", form ?? ""]).joined(separator: "\r\n")
    guard
      let answer = LoopbackSocket.answer(to: Array(sent.utf8), from: port)
        .flatMap({ LoopbackReply(reading: $0) })
    else {
      throw GatebookError(
        .networkUnreachable, "Nobody answered on port \(port), or not to the end.",
        remedy: "Start the portal before the visit.")
    }
    return answer
  }
}

extension LoopbackReply {
  /// Reads a whole answer; `nil` for less than that.
  init?(reading bytes: [UInt8]) {
    guard let end = MessageHead.end(in: bytes), let head = MessageHead(bytes[..<end]),
      head.line.count >= 2, let status = Int(head.line[1])
    else { return nil }
    let body = Array(bytes[(end + 4)...])
    guard body.count >= head.fields["Content-Length"].flatMap({ Int($0) }) ?? 0 else { return nil }
    self.init(status: status, fields: head.fields, content: .bytes(body))
  }

  /// The body as text; nothing for one that is streamed.
  var text: String {
    if case .bytes(let bytes) = content { String(decoding: bytes, as: UTF8.self) } else { "" }
  }
}
