package import GatebookEvents

/// The failures of flows with security checks.
extension GatebookError {
  /// A challenge nobody answers.
  package static func unhandled(_ checks: [String]) -> GatebookError {
    GatebookError(
      .challengeUnhandled, .check,
      kept: "No answer was sent; no session was changed.",
      remedy: "Register a challenge handler under the exact name of each check.",
      cause: names(checks).map { "asked for: \($0)" }, status: 401
    ).naming(checks)
  }

  /// A check that refuses whatever is answered.
  package static func blocked(_ checks: [String], status: Int) -> GatebookError {
    .atLogin(
      .challengeBlocked,
      "The server has temporarily blocked a security check and accepts no answer.",
      remedy: "Wait until the server lifts the block, then try again.",
      cause: names(checks).map { "refused by: \($0)" }, status: status
    ).naming(checks)
  }

  /// The person cancelled.
  package static var challengeWasCancelled: GatebookError {
    GatebookError(
      .challengeCancelled, "The challenge was cancelled.",
      kept: "No answer was sent; no session was changed.", remedy: "Begin again when you like.")
  }

  /// Nobody answered, and somebody else wants the server now.
  package static var challengeWasIgnored: GatebookError {
    GatebookError(
      .challengeTimedOut, "The challenge was not answered in time.",
      kept: "No answer was sent; no session was changed.", remedy: "Begin again.")
  }

  /// An answer that nobody asked for.
  package static func notChallenged(_ check: String) -> GatebookError {
    GatebookError(
      .preconditionFailed, "The check does not ask for anything now, so the answer was not sent.",
      remedy: "Call `login` before the challenge, or `authenticate`, which works in both cases.",
      cause: names([check]))
  }

  /// The server refuses a fresh registration too.
  static func unknownClient(status: Int) -> GatebookError {
    GatebookError(
      .serverRefused, "The server does not know the client, even after a fresh registration.",
      kept: "The account is kept.",
      remedy: "Ask the server's administrator whether the application is registered there.",
      status: status, serverCode: "invalid_client_id")
  }

  /// A scope that names a check or an element which the server does not know.
  static func unknownScope(_ scope: AuthorizationScope, status: Int) -> GatebookError {
    let elements = scope.description.split(separator: " ").map(String.init)
    return .atLogin(
      .configurationInvalid, "The server does not know this security check or scope element.",
      remedy:
        "Check the exact name of the security check or the elements of the scope, also in the "
        + "application's configuration at the server.",
      cause: elements.isEmpty || !elements.allSatisfy(isPlainName)
        ? nil : "asked for: \(scope.description)",
      status: status, serverCode: "invalid_scope")
  }

  /// The network steps of a flow took longer than they may together.
  static func loginTimedOut(_ limit: Duration) -> GatebookError {
    .atLogin(
      .networkUnreachable,
      "The requests of the login took longer than \(limit.microseconds / 1_000_000) s together.",
      remedy: "Try again, or allow more time with `setLoginTimeout`.")
  }

  private static func names(_ checks: [String]) -> String? {
    // A server chooses these names; an error shows only plain ones.
    let plain = checks.filter(isPlainName)
    return plain.isEmpty ? nil : plain.joined(separator: ", ")
  }
}

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
      .atLogin(
        .serverRefused, "\(url.withoutQuery) answered \(reply.status), which is not a challenge.",
        remedy: "Check the app's settings. A gateway in front of the server may have answered.",
        status: reply.status, serverCode: code
      ).faulting(.settings)
    }
  }
}
