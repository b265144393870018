package import Gatebook

/// The beginning of an answer to a program, and how its body is framed.
package struct AnswerHead: Sendable, Equatable {
  /// How the program learns where the body ends (RFC 9112 section 6.3).
  package enum Framing: Sendable, Equatable {
    /// There is none.
    case none
    /// After so many bytes.
    case length(Int)
    /// In chunks.
    case chunked
    /// With the connection: HTTP/1.0 knows no chunks.
    case connection
  }

  package let status: Int
  package let fields: [HTTPField]
  package let framing: Framing
  /// Whether the connection ends with the answer.
  package let isLast: Bool

  /// The answer of a server.
  ///
  /// - Parameters:
  ///   - reply: The answer; its body, unless it is streamed.
  ///   - url: What was asked.
  ///   - head: What the program asked.
  ///   - isLast: Whether the connection cannot serve another request.
  ///   - remedies: What a person can do, by the code of a refusal.
  package init(
    _ reply: HTTPReply, to url: HTTPURL, for head: RequestHead, isLast: Bool,
    remedies: [String: String] = [:]
  ) {
    status = reply.status
    var fields = ForwardedFields.answer(reply, to: url)
    let isCoded = reply.fields.first("Content-Encoding") != nil
    let told = isCoded ? nil : reply.fields.first("Content-Length").flatMap { Int($0) }
    if head.method == "HEAD" || reply.status == 204 || reply.status == 304 {
      framing = .none
      // It says what a GET would bring (RFC 9110 section 8.6).
      if head.method == "HEAD", let told { fields.append(HTTPField("Content-Length", "\(told)")) }
    } else if !reply.isStreamed {
      framing = .length(reply.body.count)
    } else if let told {
      framing = .length(told)
    } else {
      framing = head.isCurrent ? .chunked : .connection
    }
    if let code = Self.code(of: reply) {
      fields.append(HTTPField("Gatebook-Error", code))
      if let remedy = remedies[code] { fields.append(HTTPField("Gatebook-Remedy", remedy)) }
    }
    self.fields = fields
    self.isLast = isLast || !head.keepsConnection || framing == .connection
  }

  /// What a server's refusal means for the session; the answer itself stays the server's.
  private static func code(of reply: HTTPReply) -> String? {
    if StepUp(reply) != nil { return "challenge.stepUp" }
    return reply.status == 401 ? FailureCode.sessionRefused.rawValue : nil
  }

  /// An answer of the proxy itself.
  package init(_ error: ErrorAnswer, for head: RequestHead?, isLast: Bool) {
    status = error.status
    fields = error.fields
    framing = head?.method == "HEAD" ? .none : .length(error.body.count)
    self.isLast = isLast || head?.keepsConnection != true
  }

  /// The bytes of the header.
  package var bytes: [UInt8] {
    var text = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "")\r\n"
    for field in fields { text += "\(field.name): \(field.value)\r\n" }
    switch framing {
    case .none, .connection: break
    case .length(let count): text += "Content-Length: \(count)\r\n"
    case .chunked: text += "Transfer-Encoding: chunked\r\n"
    }
    if isLast { text += "Connection: close\r\n" }
    return Array("\(text)\r\n".utf8)
  }

  /// Programs go by the number; the words are for people who look at the wire.
  private static let reasons = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
    301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 413: "Content Too Large",
    414: "URI Too Long",
    417: "Expectation Failed", 421: "Misdirected Request", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]
}
