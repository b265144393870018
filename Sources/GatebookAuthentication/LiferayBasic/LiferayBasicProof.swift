internal import GatebookCrypto
package import GatebookEvents

/// Authorises requests to a portal with HTTP Basic; other applications on its host get nothing.
package struct LiferayBasicProof: SessionProof {
  /// Frozen: stands in events.
  package static let method = "liferay-basic"

  private let login: LiferayBasicLogin

  init(_ login: LiferayBasicLogin) {
    self.login = login
  }

  /// Reads what `record` wrote; `nil` for anything else.
  package init?(record: Facts) {
    guard let portal = record["portal"]?.object.flatMap({ LiferayPortal(record: $0) }),
      let kind = record["by"]?.text, let name = record["user"]?.text,
      let user = LiferayUser(kind: kind, name: name), let password = record["password"]?.text,
      let verifies = record["verifyIdentity"]?.bool
    else { return nil }
    self.init(
      LiferayBasicLogin(
        portal: portal, user: user, password: Secret(password), verifiesIdentity: verifies))
  }

  /// Portal, name and password.
  package var record: Facts {
    [
      "by": .text(login.user.kind), "password": .text(login.password.text),
      "portal": .object(login.portal.record), "user": .text(login.user.name),
      "verifyIdentity": .bool(login.verifiesIdentity),
    ]
  }

  /// Portal and name.
  package var settings: Facts { login.settings }

  /// The portal's.
  package var origin: Origin { login.portal.server.origin }

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

  /// A 401, or a web service's answer that the caller is a guest.
  package func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict {
    guard login.portal.space.contains(request.url) else { return .unaffected }
    if reply.status == 401 { return .authorityLost }
    guard login.portal.isWebService(request.url) else { return .unaffected }
    return LiferayAnswer.isAuthorityLost(reply) ? .authorityLost : .unaffected
  }

  /// Never: the portal knows no session.
  package func needsRenewal(since renewed: Moment, at moment: Moment) -> Bool { false }

  /// Yes: so does each request.
  package var renewsByPassword: Bool { true }

  /// None: every request carries the password already.
  package func renewal(jar: CookieJar) -> (any Authenticator)? { nil }

  /// Reads the user's record again.
  package func verification(jar: CookieJar) -> any Authenticator {
    LiferayBasicAuthenticator(login, purpose: .verification)
  }

  /// Each request brings the password: nothing lives on.
  package var livesAtServer: Bool { false }

  /// Nothing to end.
  package func logOut(jar: CookieJar, at moment: Moment) -> [HTTPRequest] { [] }
}
