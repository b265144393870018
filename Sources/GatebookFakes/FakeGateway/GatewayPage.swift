/// The pages of a fake gateway; every one says that it is a fake.
enum GatewayPage {
  static let name = "Gatebook fake session gateway"

  /// An error page.
  static func error(_ status: Int, _ text: String) -> LoopbackReply {
    page("HTTP status \(status): \(text)", status: status)
  }

  /// A page.
  static func page(_ text: String, status: Int = 200) -> LoopbackReply {
    .html(
      """
      <!DOCTYPE html>
      <html>
      <head>
      <title>\(name)</title>
      </head>
      <body>
      <h1>\(name)</h1>
      <p>This is not a gateway but a fake of one, made for tests.</p>
      <p>\(text)</p>
      </body>
      </html>

      """, status: status)
  }

  /// The answer to a method that a route does not have (RFC 9110 section 15.5.6).
  static func wrongMethod(allowed: String) -> LoopbackReply {
    error(405, "This is done with \(allowed).").with("Allow", allowed)
  }

  /// Gives an answer the gateway's name.
  static func stamped(_ reply: LoopbackReply) -> LoopbackReply {
    var reply = reply
    reply.fields.appendMissing("Server", name)
    return reply
  }
}
