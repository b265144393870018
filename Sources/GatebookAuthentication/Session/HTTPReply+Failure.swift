package import GatebookEvents

extension GatebookError {
  /// The same failure with the time for which the server that answered wants to be left alone (RFC
  /// 6585 section 4, RFC 9110 section 10.2.3).
  package func demanded(by reply: HTTPReply, at now: Timestamp) -> GatebookError {
    guard [429, 503].contains(reply.status), let wait = reply.retryAfter(at: now)
    else { return self }
    var error = self
    error.retryAfter = wait
    return error
  }
}

extension HTTPReply {
  /// Whether the answer was cut off.
  ///
  /// A granting answer is cut if it begins as JSON and does not end so. One that grants or refuses
  /// is cut if it ends after its header although nothing says that it has no body.
  ///
  /// "A response that has neither chunked transfer coding nor Content-Length is terminated by
  /// closure of the connection and, if the header section was received intact, is considered
  /// complete" (RFC 9112 section 8): then nothing else tells that a connection broke off. HTTP/2
  /// says itself where an answer ends (RFC 9113 section 8.1).
  package var isCut: Bool {
    // RFC 9110 sections 15.3.5 and 15.3.6: these have no content.
    let mayGrant = (200..<300).contains(status) && status != 204 && status != 205
    guard mayGrant || ([400, 401, 403].contains(status) && body.isEmpty) else { return false }
    guard let begin = body.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
      return !isDelimited && fields.first("Content-Length") == nil
        && fields.first("Transfer-Encoding") == nil
    }
    return mayGrant && begin == UInt8(ascii: "{") && JSONDocument.read(body) == nil
  }

  /// Why an app's request brought nothing to decode.
  ///
  /// Judged by the status alone: what an error page holds is not looked at.
  ///
  /// - Parameters:
  ///   - url: What was asked.
  ///   - isSessionUsable: Whether the session still serves: then a 401 is this resource's alone.
  /// - Returns: `nil` for 2xx.
  package func failure(at url: HTTPURL, isSessionUsable: Bool) -> GatebookError? {
    switch StatusClass(status) {
    case .accepted: nil
    case .unauthorised where !isSessionUsable: .sessionRefused(status: status)
    case .refused where status >= 600: .unavailable(self, at: url)
    case .redirected, .unauthorised, .forbidden, .misplaced, .unavailable, .refused:
      .answered(self, at: url, setting: "url")
    }
  }
}

extension HTTPReply {
  /// Whether it is a web page: what is between here and a server answers so, a server's endpoints
  /// rarely do.
  ///
  /// Judged by content, for labels may be wrong: JSON that is labelled as HTML is none.
  package var isPage: Bool {
    var text = body.prefix(1024).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    // A byte order mark of UTF-8.
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    let begin = String(decoding: text.prefix(15), as: UTF8.self).lowercased()
    return begin.hasPrefix("<!doctype html") || begin.hasPrefix("<html")
      || (begin.hasPrefix("<")
        && fields.first("Content-Type")?.lowercased().hasPrefix("text/html") == true)
  }
}

extension HTTPReply {
  /// What a refusal of a token may be called: no server's own word, so that it cannot echo a
  /// secret.
  private static let refusalCodes = [
    "token_revoked", "token_expired", "expired_token", "token_rejected", "invalid_token",
  ]

  /// Why a token is refused, as far as the answer says it in the words of a standard: RFC 6750
  /// section 3.1, the Problem Reporting extension of OAuth 1.0a.
  package var refusalCode: String? {
    let told = tokenErrors.union([OAuth1Problem(self)?.code].compactMap(\.self))
    return Self.refusalCodes.first(where: told.contains)
  }
}
