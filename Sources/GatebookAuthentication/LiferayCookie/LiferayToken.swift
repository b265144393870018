internal import GatebookCrypto
internal import GatebookEvents

/// The CSRF token in a portal's page: `Liferay.authToken = "…"`, either quote, any blanks.
package enum LiferayToken {
  private static let mark = Array("Liferay.authToken".utf8)

  /// The first token of a page, 6 to 64 characters of `A-Z a-z 0-9 _ -`; `nil` when there is none.
  ///
  /// A page for nobody in particular has one too: a token proves no login.
  package static func find(in page: [UInt8]) -> String? {
    var rest = page[...]
    // To look for the first byte is several times faster than to look for all of them.
    while let start = rest.firstIndex(of: mark[0]) {
      rest = rest[start...]
      guard rest.starts(with: mark) else {
        rest.removeFirst()
        continue
      }
      rest = rest.dropFirst(mark.count)
      if let token = value(rest) { return token }
    }
    return nil
  }

  private static func value(_ bytes: ArraySlice<UInt8>) -> String? {
    let equals = bytes.drop(while: isBlank)
    guard equals.first == .equals else { return nil }
    let quoted = equals.dropFirst().drop(while: isBlank)
    guard let quote = quoted.first, quote == UInt8(ascii: "'") || quote == .quote else {
      return nil
    }
    let token = quoted.dropFirst().prefix { $0.isLetter || $0.isDigit || "_-".utf8.contains($0) }
    guard (6...64).contains(token.count), quoted.dropFirst(token.count + 1).first == quote else {
      return nil
    }
    return token.text
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte.isBlank || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }
}

/// A CSRF token with the session it belongs to: a new session means a new token.
struct LiferaySessionToken: Equatable, Sendable {
  /// The token.
  let value: Secret
  /// The value of the session's cookie when the token was read; `nil` when the portal names its
  /// cookie otherwise.
  let session: Secret?

  /// Whether a request with this jar's cookies would be one of the token's session.
  func fits(_ jar: CookieJar, _ url: HTTPURL, at moment: Moment) -> Bool {
    LiferayCookies.session(in: jar, url, at: moment) == session
  }

  /// The field that carries the token.
  var field: HTTPField { HTTPField("X-CSRF-Token", value.text) }
}

/// What a portal wants to see among the cookies.
enum LiferayCookies {
  /// Sent where the jar has none of this name: without it the portal refuses a login.
  static let extras: KeyValuePairs = ["COOKIE_SUPPORT": "true"]

  /// The request with the jar's cookies and `COOKIE_SUPPORT`, once.
  static func carry(
    _ jar: CookieJar, on request: HTTPRequest, at moment: Moment
  ) -> HTTPRequest {
    RedirectFollower(request, jar: jar, extras: extras).request(at: moment.wall)
  }

  /// The value of the session's cookie; `nil` without one, and for an empty one.
  static func session(in jar: CookieJar, _ url: HTTPURL, at moment: Moment) -> Secret? {
    jar.cookies(for: url, at: moment.wall).first { $0.name == "JSESSIONID" && !$0.value.isEmpty }
      .map { Secret($0.value) }
  }
}
