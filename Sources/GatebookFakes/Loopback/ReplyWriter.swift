internal import FoundationEssentials
internal import Gatebook

/// Writes answers to a connection.
struct ReplyWriter {
  private static let block = 64 << 10

  let stream: any LoopbackStream

  /// Writes an answer.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - method: The method that was asked with: HEAD gets no body (RFC 9110 section 9.3.2).
  ///   - date: The time for `Date`.
  ///   - isClosing: Whether to say that the connection ends.
  /// - Returns: Whether everything was written.
  func write(
    _ reply: LoopbackReply, to method: String, date: Timestamp, isClosing: Bool
  ) -> Bool {
    var length = Self.length(of: reply.content)
    var head = "HTTP/1.1 \(reply.status) \(Self.reason(reply.status))\r\n"
    var fields = reply.fields
    fields.appendMissing("Date", DateField.text(date))
    fields.appendMissing("Server", "Gatebook loopback server")
    // RFC 9110 section 8.6: no Content-Length in a 204 or an informational answer.
    let mayHaveLength = reply.status >= 200 && reply.status != 204
    if mayHaveLength { fields.appendMissing("Content-Length", String(length)) }
    if isClosing { fields.appendMissing("Connection", "close") }
    for field in fields.all { head += "\(field.name): \(field.value)\r\n" }
    head += "\r\n"
    if case .truncated(let limit) = reply.delivery { length = min(length, limit) }
    if method == "HEAD" || !mayHaveLength || reply.status == 304 { length = 0 }
    return write(Array(head.utf8), reply.content, length: length)
  }

  private func write(_ head: [UInt8], _ content: LoopbackReply.Content, length: Int) -> Bool {
    switch content {
    case .bytes(let bytes): return stream.send(head + bytes.prefix(length))
    case .repeated(let byte, _):
      guard stream.send(head) else { return false }
      let block = [UInt8](repeating: byte, count: min(length, Self.block))
      var rest = length
      while rest > 0 {
        guard stream.send(block.prefix(rest)) else { return false }
        rest -= min(rest, block.count)
      }
      return true
    }
  }

  private static func length(of content: LoopbackReply.Content) -> Int {
    switch content {
    case .bytes(let bytes): bytes.count
    case .repeated(_, let count): count
    }
  }

  private static func reason(_ status: Int) -> String {
    let phrases = [
      200: "OK", 204: "No Content", 301: "Moved Permanently",
      302: "Found", 303: "See Other",
      304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
      400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
      405: "Method Not Allowed", 413: "Content Too Large", 415: "Unsupported Media Type",
      429: "Too Many Requests", 431: "Request Header Fields Too Large",
      500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
    ]
    return phrases[status] ?? "Status"
  }
}

/// Times as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
enum DateField {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The moment, cut to whole seconds.
  static func text(_ moment: Timestamp) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let date = Date(timeIntervalSince1970: (Double(moment.rawValue) / 1_000_000).rounded(.down))
    func value(_ part: Calendar.Component) -> Int { calendar.component(part, from: date) }
    func digits(_ part: Calendar.Component) -> String { String("0\(value(part))".suffix(2)) }
    return "\(days[value(.weekday) - 1]), \(digits(.day)) \(months[value(.month) - 1]) "
      + "\(value(.year)) \(digits(.hour)):\(digits(.minute)):\(digits(.second)) GMT"
  }
}
