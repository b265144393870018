public import GatebookCrypto

extension LiferayLogin {
  /// The portal's own login form: a session with cookies and a CSRF token.
  ///
  /// - Parameters:
  ///   - login: The user name, of the kind that the portal is configured for.
  ///   - password: The password.
  ///   - cookieExpirationTime: How long the portal's session counts as valid (default: 900 s); zero logs in
  ///     before every call. Each renewal happens early, by a tenth of this time, at most 60 s.
  ///   - shouldHandleCookieExpiration: Whether to keep the password with the session, to log in again
  ///     automatically; without it the account needs a login when the portal's session has ended.
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
        name: LiferayCookieProof.method, person: login.person, sendsPassword: true,
        origin: portal.server.origin, password: password, settings: login.settings
      ) {
        LiferayCookieAuthenticator(login)
      }
    }
  }
}
