internal import GatebookCrypto
package import GatebookEvents

/// Authorises requests with the cookies of a form login.
package struct FormProof: SessionProof {
  /// Frozen: stands in events.
  package static let method = "form"

  private let login: FormLogin
  private let page: LoginPage?

  init(_ login: FormLogin, page: LoginPage?) {
    var kept = login
    if !kept.mayLogInAgain { kept.password = nil }
    self.login = kept
    self.page = page
  }

  /// Reads what `record` wrote; `nil` for anything else.
  package init?(record: Facts) {
    guard let loginURL = record["loginUrl"]?.text.flatMap({ HTTPURL($0) }),
      let checkURL = record["checkUrl"]?.text.flatMap({ HTTPURL($0) }),
      let user = record["user"]?.text, let userField = record["userField"]?.text,
      let passwordField = record["passwordField"]?.text
    else { return nil }
    let password = record["password"]?.text.map { Secret($0) }
    login = FormLogin(
      loginURL: loginURL, checkURL: checkURL, user: user, password: password,
      userField: userField, passwordField: passwordField, mayLogInAgain: password != nil)
    page = record["loginPage"]?.text.flatMap { HTTPURL($0) }
      .map { LoginPage($0, learnedFrom: checkURL) }
  }

  /// URLs, names and, where it may be used again, the password.
  package var record: Facts {
    var record: Facts = [
      "checkUrl": .text(login.checkURL.description), "loginUrl": .text(login.loginURL.description),
      "passwordField": .text(login.passwordField), "user": .text(login.user),
      "userField": .text(login.userField),
    ]
    record["password"] = login.password.map { .text($0.text) }
    record["loginPage"] = page.map { .text($0.url.description) }
    return record
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
      let target = reply.fields.first("Location").flatMap { request.url.resolve($0) }
      return page?.isTarget(target) == true ? .authorityLost : .unaffected
    case .accepted, .forbidden, .misplaced, .unavailable, .refused:
      return .unaffected
    }
  }

  /// Never: the server does not say how long a session lives, and each use may lengthen it.
  package func needsRenewal(since renewed: Moment, at moment: Moment) -> Bool { false }

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

  /// None: where a server ends its sessions is not known.
  package func logOut(jar: CookieJar, at moment: Moment) -> [HTTPRequest] { [] }
}
