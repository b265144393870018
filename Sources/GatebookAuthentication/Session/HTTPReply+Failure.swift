package import GatebookEvents

extension HTTPReply {
  /// Whether it is a granting answer that was cut: it begins as JSON and does not end so.
  ///
  /// Without a length nothing else tells that a connection broke off (RFC 9112 section 8).
  package var isCutJSON: Bool {
    let begin = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return (200..<300).contains(status) && begin == UInt8(ascii: "{")
      && JSONDocument.read(body) == nil
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
