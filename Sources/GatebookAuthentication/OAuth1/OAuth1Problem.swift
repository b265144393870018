internal import GatebookEvents

/// A refusal that names its reason, by the Problem Reporting extension of OAuth 1.0a.
package struct OAuth1Problem: Hashable, Sendable {
  /// The code for a timestamp outside the server's window.
  package static let timestampRefused = "timestamp_refused"

  /// The value of `oauth_problem`, such as `nonce_used`: `[a-z0-9_.-]{1,64}`.
  package let code: String

  /// What is wrong with a request, or the application, and says nothing of the token.
  private static let ofRequest: Set<String> = [
    timestampRefused, "nonce_used", "version_rejected", "parameter_absent", "parameter_rejected",
    "signature_method_rejected", "consumer_key_unknown", "consumer_key_rejected",
    "consumer_key_refused",
  ]

  /// Whether the token may be as good as it was: what was refused is the time, the nonce or the form of the
  /// request, or the application.
  package var isOfRequest: Bool { Self.ofRequest.contains(code) }

  /// The refusal of a request whose token may be as good as it was.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - url: What was asked.
  /// - Returns: `nil` where the answer may be about the token.
  static func refusal(_ reply: HTTPReply, by url: HTTPURL) -> GatebookError? {
    guard let problem = OAuth1Problem(reply), problem.isOfRequest else { return nil }
    guard problem.code == timestampRefused else { return .refused(reply, by: url, problem.code) }
    return .atLogin(
      .serverRefused, .clock, remedy: "Compare this machine's clock with the server's.",
      status: reply.status, serverCode: problem.code)
  }

  /// Reads the report of an answer, from `WWW-Authenticate` or the body; `nil` without one.
  package init?(_ reply: HTTPReply) {
    let named = reply.challenges.filter { $0.scheme == "oauth" }
      .compactMap { $0["oauth_problem"] }.first
    guard let code = named ?? OAuth1Reply.fields(of: reply.body)?["oauth_problem"],
      GatebookError.isErrorCode(code)
    else { return nil }
    self.code = code
  }
}
