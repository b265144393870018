package import GatebookCrypto
package import GatebookEvents

/// Authorises requests to a portal with HTTP Basic; other applications on its host get nothing.
package struct LiferayBasicProof: LiferayProof {
  /// Frozen: it is stored in events.
  package static let method = "liferay-basic"

  private let login: LiferayBasicLogin

  init(_ login: LiferayBasicLogin) {
    self.login = login
  }

  /// Portal and name.
  package var settings: Facts { login.settings }

  /// The portal.
  package var portal: LiferayPortal { login.portal }

  /// No: none are sent.
  package var keepsCookies: Bool { false }

  /// Adds `Authorization` below the portal's URL; no cookies.
  package func authorise(
    _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
  ) -> HTTPRequest {
    // "No cookie jar is used on these calls except in cookie mode": a session cookie would make the
    // portal ask for a CSRF token.
    login.authorise(request)
  }

  /// Yes: so does each request.
  package var renewsByPassword: Bool { true }

  /// Reads the user's record again.
  package func verification(jar: CookieJar) -> any Authenticator {
    LiferayBasicAuthenticator(login, purpose: .verification)
  }

  /// Each request brings the password: nothing lives on.
  package var livesAtServer: Bool { false }
}

extension LiferayBasicProof: PasswordBearing {
  /// Below the portal's URL; the realm is the portal's affair.
  package func password(at url: HTTPURL, realm: String?) -> (user: String, password: Secret)? {
    let space = login.portal.space
    guard space.contains(url) || (url.origin == space.origin && url.path == "/") else { return nil }
    return (login.user.name, login.password)
  }
}

extension LiferayBasicProof: StoredRecord {
  /// Portal, user and password.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    let kind = try facts.required("by", kept?.login.user.kind)
    let password = try facts.required("password", kept?.login.password)
    let portal = try facts.required("portal", kept?.login.portal)
    let name = try facts.required("user", kept?.login.user.name)
    let verifies = try facts.required("verifyIdentity", kept?.login.verifiesIdentity)
    guard let user = LiferayUser(kind: kind, name: name) else { throw Unreadable() }
    login = LiferayBasicLogin(
      portal: portal, user: user, password: password, verifiesIdentity: verifies)
  }
}
