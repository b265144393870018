public import GatebookCrypto

extension LiferayLogin {
  /// The portal's own login form: a session of cookies and a CSRF token.
  ///
  /// - Parameters:
  ///   - login: The name, of the kind the portal is set to.
  ///   - password: The password.
  ///   - cookieExpirationTime: How long the portal's session is taken to live, 900 s; zero logs in
  ///     before every call. Each renewal comes a tenth of it, at most 60 s, early.
  ///   - shouldHandleCookieExpiration: Whether the password is kept with the session to log in
  ///     again by itself; without it the account needs a login when the portal's session has ended.
  ///   - rememberMe: Whether the portal is asked for cookies that live a year.
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
