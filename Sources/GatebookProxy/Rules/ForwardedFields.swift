internal import Gatebook
internal import GatebookSystem

/// Which fields of a message pass a proxy.
enum ForwardedFields {
  /// Those that are about one connection (RFC 9110 section 7.6.1) and those that frame a message.
  private static let ofConnection: Set<String> = [
    "connection", "content-length", "expect", "host", "http2-settings", "keep-alive",
    "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "proxy-connection",
    "te", "trailer", "transfer-encoding", "upgrade",
  ]
  /// Fields with credentials of the program: those of the account replace them.
  private static let credentials: Set<String> = ["authorization", "cookie", "cookie2", "dpop"]
  /// Those of an answer that are for who holds the session, would lead past the proxy, or are the
  /// proxy's own.
  private static let ofSession: Set<String> = [
    "alt-svc", "authentication-info", "dpop-nonce", "gatebook-error", "set-cookie", "set-cookie2",
    "strict-transport-security",
  ]

  /// The fields that go to the server.
  ///
  /// The server is asked for plain content: what Gatebook reads of it, and how many bytes it has,
  /// is then the same on both sides. A field that holds the capability stays here, whatever its
  /// name: some programs send their token in one of their own.
  static func request(_ head: RequestHead, _ capability: Capability?) -> [HTTPField] {
    let named = Set(head.list("Connection"))
    let kept = head.fields.filter { field in
      let name = field.name.lowercased()
      return !ofConnection.contains(name) && !credentials.contains(name) && !named.contains(name)
        && name != "accept-encoding" && capability?.isHeld(by: field.value) != true
    }
    return kept + [HTTPField("Accept-Encoding", "identity"), HTTPField("Via", "1.1 gatebook")]
  }

  /// The fields that go to the program; what frames the answer is added to them.
  ///
  /// - Parameters:
  ///   - reply: The server's answer.
  ///   - url: What was asked.
  /// - Returns: The fields in their order.
  static func answer(_ reply: HTTPReply, to url: HTTPURL) -> [HTTPField] {
    let named = Set(RequestHead.list(reply.fields.values(of: "Connection")))
    let isCoded = reply.fields.first("Content-Encoding") != nil
    return reply.fields.compactMap { field in
      let name = field.name.lowercased()
      guard !ofConnection.contains(name), !ofSession.contains(name), !named.contains(name),
        // The transport has decoded it.
        !(isCoded && ["content-encoding", "content-md5", "digest"].contains(name)),
        field.name.isToken, field.value.isFieldValue
      else { return nil }
      guard name == "location" || name == "content-location" else { return field }
      return HTTPField(field.name, place(field.value, from: url))
    }
  }

  /// An address of an answer as the program must see it: one of the same server leads to the proxy
  /// again, and any other stays as it is.
  private static func place(_ reference: String, from url: HTTPURL) -> String {
    guard let target = url.resolve(reference), target.origin == url.origin else {
      return reference
    }
    // A path that begins with two slashes would be another server's address.
    return target.target.hasPrefix("//") ? "/.\(target.target)" : target.target
  }
}
