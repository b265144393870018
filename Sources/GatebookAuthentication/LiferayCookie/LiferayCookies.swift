internal import GatebookCrypto
internal import GatebookEvents

/// What a portal wants to see among the cookies.
enum LiferayCookies {
  /// Sent where the jar has none of this name: without it the portal refuses a login.
  static let extras: KeyValuePairs = ["COOKIE_SUPPORT": "true"]

  /// The request with the jar's cookies and `COOKIE_SUPPORT`, which stands there once.
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
