internal import Gatebook

/// The answer to one request.
struct PageReply: Sendable {
  /// The status with its reason.
  var status: String
  /// Fields beyond those that every answer has.
  var fields: [HTTPField]
  /// The body: HTML, or plain text.
  var body: String
  /// Whether the body is HTML.
  var isHTML: Bool

  init(_ status: String, fields: [HTTPField] = [], html body: String) {
    self.status = status
    self.fields = fields
    self.body = body
    isHTML = true
  }

  init(_ status: String, fields: [HTTPField] = [], text body: String) {
    self.status = status
    self.fields = fields
    self.body = body
    isHTML = false
  }

  /// Sends the browser to another address, which it asks for with GET (RFC 9110 section 15.4.4).
  static func redirect(to path: String) -> PageReply {
    PageReply("303 See Other", fields: [HTTPField("Location", path)], text: "")
  }

  /// All is well, and there is nothing to show.
  static let nothing = PageReply("204 No Content", text: "")

  /// Nothing is found.
  static let missing = PageReply("404 Not Found", text: "There is nothing here.\n")

  /// The bytes to send.
  var bytes: [UInt8] { head + body.utf8 }

  /// The header, as for a request that asks for nothing else (RFC 9110 section 9.3.2).
  ///
  /// Every answer says that nothing is to be stored, that no address is to be passed on, and that
  /// it allows nothing unless ``fields`` does.
  var head: [UInt8] {
    // An answer without a body has no length either (RFC 9110 section 8.6).
    let form =
      status.hasPrefix("204")
      ? []
      : [
        HTTPField("Content-Type", "text/\(isHTML ? "html" : "plain"); charset=utf-8"),
        HTTPField("Content-Length", String(body.utf8.count)),
      ]
    var all =
      form + [
        HTTPField("Cache-Control", "no-store"), HTTPField("Referrer-Policy", "no-referrer"),
        HTTPField("X-Content-Type-Options", "nosniff"), HTTPField("X-Frame-Options", "DENY"),
        HTTPField("Cross-Origin-Opener-Policy", "same-origin"),
        HTTPField("Cross-Origin-Resource-Policy", "same-origin"), HTTPField("Connection", "close"),
      ]
    if fields.values(of: "Content-Security-Policy").isEmpty {
      all.append(
        HTTPField("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"))
    }
    let lines =
      ["HTTP/1.1 \(status)"] + (all + fields).map { "\($0.name): \($0.value)" } + ["", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
  }
}
