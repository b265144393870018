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
  var accepted: GatebookError {
    if reply.status == 200, !hasToken, let terminalCode { return refreshRefused(terminalCode) }
    // A page came in place of an endpoint's answer; the endpoint itself has not said anything.
    if reply.isMarkup {
      return .atLogin(
        .contentUnexpected, .answerPage, of: "the \(setting)", remedy: GatebookError.pageRemedy,
        status: reply.status)
    }
    // What names an error, or brings a token, can be read: only what says nothing may have rotated
    // the token.
    let isReadable = ["access_token", "refresh_token", "error", "error_code"].contains {
      (members?[$0] ?? .null) != .null
    }
    return isReadable ? unusable() : unusable(.answerUnreadable)
  }

  /// A 4xx that is neither about the address nor about the client.
  var refused: GatebookError {
    guard !reply.isCut else {
      return .unexpected(
        "The server rejected the request, but its answer may be incomplete.",
        remedy: "Try again later.", status: reply.status)
    }
    if [400, 401, 403].contains(reply.status), let terminalCode {
      return refreshRefused(terminalCode)
    }
    if code == "invalid_request" { return configuration }
    // RFC 6749 section 5.2 knows 400 and 401: a 403 without a word may be from something in
    // between.
    guard [400, 401].contains(reply.status), reply.body.isEmpty else {
      return .refused(reply, by: endpoint, code ?? errorCode)
    }
    return refreshRefused(nil)
  }

  /// The refusal of a refresh token for good.
  func refreshRefused(_ code: String?) -> GatebookError {
    .sessionRefused(.tokenRefused, status: reply.status, serverCode: code)
  }

  private var terminalCode: String? {
    if let code, (Self.deadToken + Self.loginWanted).contains(code) { return code }
    return errorCode.flatMap { Self.deadToken.contains($0) ? $0 : nil }
  }

  /// What some servers call their reason beside the standard's code.
  private var errorCode: String? { members?["error_code"]?.text }
}

extension HTTPReply {
  /// Whether the body is markup, such as the page of a strange network; judged by content.
  fileprivate var isMarkup: Bool {
    let marks: [UInt8] = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00, 0x20, 0x09, 0x0A, 0x0D]
    return body.first { !marks.contains($0) } == UInt8(ascii: "<")
  }
}
