internal import GatebookEvents

/// A refusal that names its reason, by the Problem Reporting extension of OAuth 1.0a.
package struct OAuth1Problem: Hashable, Sendable {
  /// The code for a timestamp outside the server's window.
  package static let timestampRefused = "timestamp_refused"

  /// The value of `oauth_problem`, such as `nonce_used`: `[a-z0-9_.-]{1,64}`.
  package let code: String

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
