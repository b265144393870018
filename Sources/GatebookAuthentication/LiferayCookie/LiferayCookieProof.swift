internal import GatebookCrypto
package import GatebookEvents

/// Authorises requests to a portal with the session's cookies and its CSRF token.
package struct LiferayCookieProof: LiferayProof, Renewable, LogoutCapable {
  /// Frozen: it is stored in events.
  package static let method = "liferay-cookie"

  private let login: LiferayCookieLogin
  private let token: LiferaySessionToken

  init(_ login: LiferayCookieLogin, token: LiferaySessionToken) {
    var kept = login
    if !kept.shouldHandleCookieExpiration { kept.password = nil }
    self.login = kept
    self.token = token
  }

  /// Portal, name and how long its session lives.
  package var settings: Facts { login.settings }

  /// The portal.
  package var portal: LiferayPortal { login.portal }

  /// Adds the jar's cookies and, below the portal's URL, `COOKIE_SUPPORT` and the CSRF token.
  ///
  /// The token is left out when the jar holds another session's cookie: it would be refused, and a
  /// token belongs to one session.
  package func authorise(
    _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
  ) -> HTTPRequest {
    guard portal.space.contains(request.url) else {
      return request.carrying(jar, at: moment)
    }
    let carried = LiferayCookies.carry(jar, on: request, at: moment)
    guard token.fits(jar, request.url, at: moment) else { return carried }
    return carried.replacing(token.field)
  }

  /// A 401 or 403, a redirect to the login, or a web service's answer that the caller is a guest.
  package func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict {
    guard portal.space.contains(request.url) else { return .unaffected }
    let loginPage = "\(portal.space.folder)c/portal/login"
    switch StatusClass(reply.status) {
    case .forbidden: return .authorityLost
    case .redirected where reply.target(from: request.url)?.path == loginPage:
      return .authorityLost
    case .accepted, .redirected, .unauthorised, .misplaced, .unavailable, .refused:
      return portal.verdict(on: reply, to: request)
    }
  }

  /// Whether `cookieExpirationTime` less its margin has passed.
  ///
  /// The margin is a tenth, at most 60 s. Zero: before every call.
  package func needsRenewal(atAge age: Duration) -> Bool {
    let time = login.cookieExpirationTime
    guard login.shouldHandleCookieExpiration, login.password != nil else { return false }
    guard time > .zero else { return true }
    return age >= time - min(.seconds(60), time / 10)
  }

  /// Yes.
  package var renewsByPassword: Bool { true }

  /// The login from its start with a jar of its own.
  ///
  /// With the old jar a session that still lives would answer for a password that no longer does.
  package func renewal(jar: CookieJar) -> (any Authenticator)? {
    guard login.shouldHandleCookieExpiration, login.password != nil else { return nil }
    return LiferayCookieAuthenticator(login)
  }

  /// With its password: without the jar the token proves nothing.
  package var canLogInAgain: Bool { renewal(jar: CookieJar()) != nil }

  /// Asks the portal for whom it takes the caller.
  package func verification(jar: CookieJar) -> any Authenticator {
    LiferayCookieAuthenticator(login, verifying: token, jar: jar)
  }

  /// The portal's logout; nothing for an empty jar.
  package func logOut(jar: CookieJar, at moment: Moment) -> [HTTPRequest] {
    guard !jar.isEmpty, let url = try? portal.url("c/portal/logout") else { return [] }
    return [LiferayCookies.carry(jar, on: HTTPRequest("GET", url, limits: .login), at: moment)]
  }
}

extension LiferayCookieProof: StoredRecord {
  /// Portal, name, token and, where it may be used again, the password.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    login = LiferayCookieLogin(
      portal: try facts.required("portal", kept?.login.portal),
      login: try facts.required("login", kept?.login.login),
      password: facts.optional("password", kept?.login.password),
      cookieExpirationTime: try facts.required(
        "cookieExpirationTimeUs", kept?.login.cookieExpirationTime),
      shouldHandleCookieExpiration: try facts.required(
        "shouldHandleCookieExpiration", kept?.login.shouldHandleCookieExpiration),
      rememberMe: try facts.required("rememberMe", kept?.login.rememberMe))
    token = LiferaySessionToken(
      value: try facts.required("token", kept?.token.value),
      session: facts.optional("session", kept?.token.session))
  }
}
