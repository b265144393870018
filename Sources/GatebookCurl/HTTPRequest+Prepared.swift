internal import GatebookAuthentication
internal import GatebookEvents

extension HTTPRequest {
  /// Fields that libcurl writes from the body and the connection: what frames the message, and what
  /// is for a proxy.
  ///
  /// Through a tunnel a proxy's field would reach the server.
  private static let framing: Set<String> = [
    "host", "content-length", "transfer-encoding", "expect", "upgrade",
    "proxy-authorization",
  ]

  /// The request as it goes to libcurl, or why it must not: nothing in it may start another line or
  /// another message (RFC 9112 section 11.1).
  func prepared(userAgent: String?) throws(TransportFailure) -> HTTPRequest {
    var request = self
    if let userAgent, fields.first("User-Agent") == nil {
      request.fields.insert(HTTPField("User-Agent", userAgent), at: 0)
    }
    guard method.isToken, method != "CONNECT" else {
      throw refusal("The method is not one that can be sent.")
    }
    guard method != "HEAD" || (body.isEmpty && source == nil) else {
      throw refusal("A HEAD request cannot have a body.")
    }
    for field in request.fields {
      guard field.name.isToken else { throw refusal("A header field's name is malformed.") }
      guard !Self.framing.contains(field.name.lowercased()) else {
        throw refusal("The header field \(field.name) cannot be set: the message decides it.")
      }
      guard field.value.isFieldValue else {
        throw refusal("The header field \(field.name) holds a control character.")
      }
    }
    guard canBeSent else {
      throw refusal("The body can be read only once, and it was read already.")
    }
    return request
  }

  private func refusal(_ message: String) -> TransportFailure {
    TransportFailure(
      GatebookError(
        .configurationInvalid, "\(message) Nothing was sent to \(url.origin).",
        kept: GatebookError.sessionKept, remedy: "Correct the request."),
      delivery: .notSent)
  }
}
