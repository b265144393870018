public import GatebookCrypto
internal import GatebookEvents

/// What a Liferay login by form and cookies needs.
struct LiferayCookieLogin: Sendable {
  /// The portal.
  var portal: LiferayPortal
  /// The name as typed, of the kind the portal is set to.
  var login: String
  /// The password; `nil` only in a session that may not log in again automatically.
  var password: Secret?
  /// How long the portal's session is taken to live; zero: log in before every call.
  var cookieExpirationTime: Duration
  /// Whether the password is kept with the session, to log in again automatically.
  var shouldHandleCookieExpiration: Bool
  /// Whether the portal is asked for cookies that live a year.
  var rememberMe: Bool

  /// The person as far as known before the portal has answered.
  var person: Person { portal.person(named: login) }

  /// What the login was asked with; no secrets.
  var settings: Facts {
    [
      "cookieExpirationTimeUs": .integer(cookieExpirationTime.microseconds),
      "portal": .object(portal.record), "rememberMe": .bool(rememberMe),
      "shouldHandleCookieExpiration": .bool(shouldHandleCookieExpiration), "user": .text(login),
    ]
  }

  /// What would only be found out by a useless request with a password in it.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    try portal.check()
    try login.checkAsSetting("login", remedy: "Give the login name.")
    try (password ?? Secret("")).checkAsPassword()
    guard cookieExpirationTime >= .zero else {
      throw .setting(
        "cookieExpirationTime", "it is negative.",
        remedy: "Give 0 to log in before every call, or a time (default: 900 s).")
    }
  }

  /// The login form; sent once, a wrong password must not be counted twice.
  ///
  /// - Parameter token: The CSRF token that some portals want for the login itself.
  /// - Returns: The request without cookies.
  /// - Throws: `configuration.invalid` for a server URL with a query.
  func form(token: String?) throws(GatebookError) -> HTTPRequest {
    var pairs = [(name: "login", value: login), (name: "password", value: password?.text ?? "")]
    if rememberMe { pairs.append((name: "rememberMe", value: "true")) }
    if let token { pairs.append((name: "p_auth", value: token)) }
    return HTTPRequest(
      "POST", try portal.url("c/portal/login"),
      fields: [FormEncoding.contentType], body: FormEncoding.encode(pairs), isRepeatable: false,
      limits: .login)
  }
}

extension LiferayLogin {
  /// The portal's own login form: a session with cookies and a CSRF token.
  ///
  /// - Parameters:
  ///   - login: The user name, of the kind that the portal is configured for.
  ///   - password: The password.
  ///   - cookieExpirationTime: How long the portal's session counts as valid (default: 900 s); zero
  ///     logs in before every call. Each renewal happens early, by a tenth of this time, at most 60
  ///     s.
  ///   - shouldHandleCookieExpiration: Whether to keep the password with the session, to log in
  ///     again automatically; without it the account needs a login when the portal's session has
  ///     ended.
  ///   - rememberMe: Whether to ask the portal for cookies that are valid for a year.
  /// - Returns: The mode.
  public static func cookie(
    login: String, password: Secret, cookieExpirationTime: Duration = .seconds(900),
    shouldHandleCookieExpiration: Bool = true, rememberMe: Bool = false
  ) -> LiferayLogin {
    LiferayLogin { portal in
      let login = LiferayCookieLogin(
        portal: portal, login: login, password: password,
        cookieExpirationTime: cookieExpirationTime,
        shouldHandleCookieExpiration: shouldHandleCookieExpiration, rememberMe: rememberMe)
      return LoginMethod(
        name: LiferayCookieProof.method, person: login.person,
        origin: portal.server.origin, password: password, settings: login.settings
      ) {
        LiferayCookieAuthenticator(login)
      }
    }
  }
}
