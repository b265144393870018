internal import GatebookEvents

/// The error code that a refusal's body holds: `errorCode` of the server's own routes, `error` of
/// the authorization endpoints.
struct MobileFirstRefusal {
  /// The code in lower case; `nil` without one.
  let code: String?

  init(_ body: Facts?) {
    let text = body?["errorCode"]?.text ?? body?["error"]?.text
    code = text.map { String(decoding: $0.utf8.map(\.lowercase), as: UTF8.self) }
  }

  /// Reads the body of an answer.
  init(_ reply: HTTPReply) {
    self.init(JSONDocument.read(reply.body)?.object)
  }

  /// Whether the server does not know the client's id (any more).
  var isUnknownClient: Bool { code == "invalid_client_id" }

  /// Whether the server knows no such security check or scope element: `INVALID_SCOPE` of the
  /// server's own routes (inferred), `invalid_scope` of RFC 6749 sections 4.1.2.1 and 5.2.
  var isUnknownScope: Bool { code == "invalid_scope" }

  /// The refusal as a failure; the status decides.
  func error(_ reply: HTTPReply, from url: HTTPURL) -> GatebookError {
    switch StatusClass(reply.status) {
    case .redirected, .misplaced, .unavailable: .answered(reply, at: url, setting: "server")
    case .accepted, .unauthorised, .forbidden, .refused:
      GatebookError(
        .serverRefused, "\(url.withoutQuery) answered \(reply.status), which is not a challenge.",
        kept: GatebookError.keptSessions,
        remedy: "Check the app's settings. A gateway in front of the server may have answered.",
        status: reply.status, serverCode: code
      ).faulting(.settings)
    }
  }
}
