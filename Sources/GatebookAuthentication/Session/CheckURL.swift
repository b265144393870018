internal import GatebookEvents

/// Proves a login whose server names nobody: a URL that refuses strangers and answers 2xx to whoever
/// holds a token (rule 7).
struct CheckURL {
  /// What people call it.
  static let name = "the check URL"

  private let url: HTTPURL

  init(_ url: HTTPURL) {
    self.url = url
  }

  /// Judges the answer to a request without a token, which must be a refusal.
  ///
  /// - Returns: Whether it refuses with a 403: then one can mean later that nobody is logged in.
  /// - Throws: `login.unprovable` if anybody may read it; `configuration.invalid`,
  ///   `server.unavailable` or `server.refused` for what is no refusal.
  func strangerIsForbidden(
    _ status: StatusClass, _ reply: HTTPReply
  ) throws(GatebookError) -> Bool {
    switch status {
    case .forbidden: return true
    case .unauthorised, .redirected: return false
    case .refused where reply.status == 400: return false
    case .accepted:
      throw .unprovable(
        .proofPublic, of: Self.name,
        remedy: "Give a check URL that only logged-in users can read.",
        status: reply.status)
    case .misplaced, .unavailable, .refused:
      throw .answered(reply, at: url, setting: "checkURL")
    }
  }

  /// Judges the answer to a request with the new token, which must be 2xx.
  ///
  /// - Throws: `server.unavailable`, else `login.unprovable`.
  func checkHolder(_ status: StatusClass, _ reply: HTTPReply) throws(GatebookError) {
    switch status {
    case .accepted: return
    case .unavailable: throw .unavailable(reply, at: url)
    case .redirected, .unauthorised, .forbidden, .misplaced, .refused:
      throw .unprovable(
        .proofRefused, of: Self.name,
        remedy: "Give a check URL that answers 2xx to logged-in users.",
        status: reply.status)
    }
  }
}
