internal import GatebookEvents

/// What an answer to a refresh means.
///
/// Only a closed list of answers ends the renewal of a session. The article *What ends a session*
/// shows it.
extension TokenRefusal {
  /// What servers call a refresh token that they do not accept any more.
  private static let deadToken = [
    "invalid_grant", "bad_refresh_token", "refresh_token_reused", "refresh_token_not_found",
    "invalid_refresh_token", "token_expired",
  ]
  /// What else says that only a login helps.
  private static let loginWanted = [
    "invalid_token", "access_denied", "login_required", "interaction_required", "consent_required",
  ]

  /// A 2xx that grants no token that can be used.
  static func accepted(_ reply: HTTPReply, _ setting: String) -> GatebookError {
    if reply.status == 200, !hasToken(reply), let code = terminalCode(in: reply) {
      return refreshRefused(reply, code)
    }
    if reply.isMarkup { return .webPage(reply, setting) }
    let unreadable = unusable(reply, code(in: reply), setting, .answerUnreadable)
    guard let members = JSONDocument.read(reply.body)?.object else { return unreadable }
    // What names an error, or brings a token, can be read: only what says nothing may have rotated
    // the token.
    let isReadable = ["access_token", "refresh_token", "error", "error_code"].contains {
      members[$0] != nil && members[$0] != .null
    }
    return isReadable ? unusable(reply, code(in: reply), setting) : unreadable
  }

  /// A 4xx that is neither about the address nor about the client.
  static func refused(
    _ reply: HTTPReply, _ code: String?, _ endpoint: HTTPURL, _ setting: String
  ) -> GatebookError {
    guard !reply.isCut else {
      return .unexpected(
        "The server rejected the request, but its answer may be incomplete.",
        remedy: "Try again later.", status: reply.status)
    }
    if [400, 401, 403].contains(reply.status), let code = terminalCode(in: reply) {
      return refreshRefused(reply, code)
    }
    if code == "invalid_request" { return configuration(reply, code, setting) }
    // RFC 6749 section 5.2 knows 400 and 401: a 403 without a word may be from something in
    // between.
    guard [400, 401].contains(reply.status), reply.body.isEmpty else {
      return .refused(reply, by: endpoint, code ?? member("error_code", of: reply))
    }
    return refreshRefused(reply, nil)
  }

  /// The refusal of a refresh token for good.
  static func refreshRefused(_ reply: HTTPReply, _ code: String?) -> GatebookError {
    .sessionRefused(.tokenRefused, status: reply.status, serverCode: code)
  }

  private static func terminalCode(in reply: HTTPReply) -> String? {
    if let code = code(in: reply), deadToken.contains(code) || loginWanted.contains(code) {
      return code
    }
    return member("error_code", of: reply).flatMap { deadToken.contains($0) ? $0 : nil }
  }

  private static func member(_ name: String, of reply: HTTPReply) -> String? {
    JSONDocument.read(reply.body)?.object?[name]?.text
  }
}

extension GatebookError {
  /// A page came in place of an endpoint's answer; the endpoint itself has not said anything.
  fileprivate static func webPage(_ reply: HTTPReply, _ setting: String) -> GatebookError {
    .atLogin(
      .contentUnexpected, .answerPage, of: "the \(setting)", remedy: pageRemedy,
      status: reply.status)
  }
}

extension HTTPReply {
  /// Whether the body is markup, such as the page of a strange network; judged by content.
  fileprivate var isMarkup: Bool {
    let marks: [UInt8] = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00, 0x20, 0x09, 0x0A, 0x0D]
    return body.first { !marks.contains($0) } == UInt8(ascii: "<")
  }
}
