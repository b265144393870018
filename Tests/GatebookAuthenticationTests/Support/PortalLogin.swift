internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

/// A cookie login to a portal that works, and the pieces to make it fail.
enum PortalLogin {
  static let site = "https://portal.example.test"
  static let user = HTTPReply.json(200, "[{\"userId\":\"123456\",\"companyId\":\"10154\"}]")
  static let guest = HTTPReply.json(
    403, "{\"exception\":\"Access denied to a.UserService#getCurrentUser\"}")
  static let noToken = HTTPReply.page(403, "session does not have a CSRF token for a.B")
  static let themed = page(token: "tok12345")

  /// A page with a token.
  static func page(token: String, cookies: [String] = []) -> HTTPReply {
    .page(200, "<script>Liferay.authToken = '\(token)';</script>", cookies: cookies)
  }

  /// The answer to a form that the portal takes.
  static func accepted(session: String = "ada1") -> HTTPReply {
    .redirect(to: "/c", cookies: ["JSESSIONID=\(session); Path=/; HttpOnly"])
  }

  /// A portal.
  static func portal(_ version: LiferayPortal.Version = .v7) throws -> LiferayPortal {
    LiferayPortal(server: try .at(site), companyID: 10154, version: version)
  }

  /// A cookie login.
  static func method(
    password: String = "rabbit", expiration: Duration = .seconds(900),
    handlesExpiration: Bool = true
  ) throws -> LoginMethod {
    .liferay(
      try portal(),
      .cookie(
        login: "ada", password: Secret(password), cookieExpirationTime: expiration,
        shouldHandleCookieExpiration: handlesExpiration))
  }

  /// What a cookie login that works proposes.
  static func outcome(
    expiration: Duration = .seconds(900), handlesExpiration: Bool = true
  ) throws -> Outcome {
    try Dialogue.outcome(
      of: method(expiration: expiration, handlesExpiration: handlesExpiration), accepted(), themed,
      user)
  }
}
