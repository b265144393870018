internal import GatebookCrypto
package import GatebookEvents

/// Authorises requests with the cookies of a form login.
package struct FormProof: Renewable {
  /// Frozen: it is stored in events.
  package static let method = "form"

  private let login: FormLogin
  private let page: LoginPage?

  init(_ login: FormLogin, page: LoginPage?) {
    var kept = login
    if !kept.mayLogInAgain { kept.password = nil }
    self.login = kept
    self.page = page
  }

  /// URLs, fields and name.
  package var settings: Facts { login.settings }

  /// The login URL's.
  package var origin: Origin { login.loginURL.origin }

  /// Adds the jar's cookies.
  package func authorise(
    _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
  ) -> HTTPRequest {
    request.carrying(jar, at: moment)
  }

  /// A 401 or a redirect to the login page; a 403 says that this person may not do this.
  package func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict {
    guard request.url.origin == origin else { return .unaffected }
    switch StatusClass(reply.status) {
    case .unauthorised:
      return .authorityLost
    case .redirected:
      return page?.isTarget(reply.target(from: request.url)) == true ? .authorityLost : .unaffected
    case .accepted, .forbidden, .misplaced, .unavailable, .refused:
      return .unaffected
    }
  }

  /// Yes.
  package var renewsByPassword: Bool { true }

  /// The login from its start with a jar of its own: the old session's cookies would prove nothing
  /// about the password.
  package func renewal(jar: CookieJar) -> (any Authenticator)? {
    login.password == nil ? nil : FormAuthenticator(login, isRenewal: true)
  }

  /// The check URL with the jar.
  package func verification(jar: CookieJar) -> any Authenticator {
    CheckURLVerification(
      login.checkURL, person: login.person, proof: self, jar: jar,
      isForbiddenToStrangers: page == nil)
  }
}

extension FormProof: StoredRecord {
  /// URLs, names and, where it may be used again, the password.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    let password = facts.optional("password", kept?.login.password)
    login = FormLogin(
      loginURL: try facts.required("loginUrl", kept?.login.loginURL),
      checkURL: try facts.required("checkUrl", kept?.login.checkURL),
      user: try facts.required("user", kept?.login.user), password: password,
      userField: try facts.required("userField", kept?.login.userField),
      passwordField: try facts.required("passwordField", kept?.login.passwordField),
      mayLogInAgain: password != nil)
    let check = login.checkURL
    page = facts.optional("loginPage", kept?.page?.url).map { LoginPage($0, learnedFrom: check) }
  }
}

/// The page to which a server sends those who are not logged in; learned, never configured.
struct LoginPage: Hashable, Sendable {
  /// Where the server redirected a caller without cookies.
  let url: HTTPURL
  private let queryDecides: Bool

  /// Makes the page from a redirect of the check URL.
  ///
  /// - Parameters:
  ///   - url: The target of the redirect.
  ///   - check: The check URL. Where both are one page that its query alone tells apart
  ///     (`/?page=login`), the query counts too.
  init(_ url: HTTPURL, learnedFrom check: HTTPURL) {
    self.url = url
    queryDecides = url.isSamePage(as: check)
  }

  /// Whether a redirect leads to the login page, also with other queries such as `?failed`.
  func isTarget(_ target: HTTPURL?) -> Bool {
    guard let target, target.isSamePage(as: url) else { return false }
    return !queryDecides || target.query == url.query
  }

  /// Whether a redirect only spells the check URL another way, such as with a last slash, or not
  /// even that: it leads to no login page.
  static func isSpelling(_ target: HTTPURL, of check: HTTPURL) -> Bool {
    target.origin.host == check.origin.host && target.query == check.query
      && [check.path, check.path + "/"].contains(target.path)
  }
}
