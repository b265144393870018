internal import GatebookCrypto
internal import GatebookEvents

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
