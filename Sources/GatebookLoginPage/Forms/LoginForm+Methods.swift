public import Gatebook

/// How a Liferay portal identifies the user who fills in the form.
///
/// Source: Login Screenlet, `basicAuthMethod`.
public enum LiferayIdentity: Sendable, Hashable, CaseIterable {
  /// By email address.
  case email
  /// By screen name.
  case screenName
  /// By number.
  case userID
}

/// Which login a Liferay form makes.
///
/// Source: Login Screenlet, `loginMode`.
public enum LiferayPageMode: Sendable {
  /// HTTP Basic.
  case basic
  /// The portal's own form and its cookies.
  ///
  /// The cookies are valid for `expiration`, and are renewed unless `isRenewed` is `false`.
  case cookie(expiration: Duration = .seconds(900), isRenewed: Bool = true)
  /// OAuth 2 by password; a secret that is `nil` is asked for.
  case oauth2Password(clientID: String, clientSecret: Secret?, scopes: [String] = [])
}

extension LoginForm {
  /// The form of a Liferay portal.
  ///
  /// - Parameters:
  ///   - portal: The portal.
  ///   - identity: How it identifies the user. In the modes `cookie` and `oauth2Password` the
  ///     portal's own settings decide; then this is what the field is called.
  ///   - mode: Which login to make.
  ///   - user: What is filled in at first.
  /// - Returns: The form.
  public static func liferay(
    _ portal: LiferayPortal, by identity: LiferayIdentity = .email, mode: LiferayPageMode = .basic,
    user: String = ""
  ) -> LoginForm {
    let field: LoginField =
      switch identity {
      case .email: .email(user)
      case .screenName: .screenName(user)
      case .userID: .userID(user)
      }
    var fields = [field, .password]
    if case .oauth2Password(_, nil, _) = mode { fields.append(.clientSecret) }
    var form = LoginForm(server: portal.server.origin, fields: fields) { answers, _ in
      .liferay(portal, mode.login(answers, identity))
    }
    if case .cookie = mode { form.asksForOtherPasswords = true }
    return form
  }

  /// The form for HTTP authentication: see `LoginMethod.http`.
  ///
  /// - Parameters:
  ///   - url: Refuses without credentials, and answers 2xx with them.
  ///   - user: What is filled in at first.
  /// - Returns: The form.
  public static func http(url: HTTPURL, user: String = "") -> LoginForm {
    LoginForm(server: url.origin, fields: [.user(user), .password]) { answers, _ in
      .http(url: url, user: answers.user, password: answers.secret())
    }
  }

  /// The form for a server's own login form: see `LoginMethod.form`.
  ///
  /// - Parameters:
  ///   - loginURL: Where the server's form is sent.
  ///   - checkURL: Refuses before the login and answers 2xx after it.
  ///   - userField: The name of the server's field for the user.
  ///   - passwordField: The name of the server's field for the password.
  ///   - user: What is filled in at first.
  /// - Returns: The form.
  public static func form(
    loginURL: HTTPURL, checkURL: HTTPURL, userField: String = "httpd_username",
    passwordField: String = "httpd_password", user: String = ""
  ) -> LoginForm {
    var form = LoginForm(server: loginURL.origin, fields: [.user(user), .password]) {
      answers, savesCredentials in
      .form(
        loginURL: loginURL, checkURL: checkURL, user: answers.user, password: answers.secret(),
        userField: userField, passwordField: passwordField, mayLogInAgain: savesCredentials)
    }
    form.asksForOtherPasswords = true
    return form
  }

  /// The form for OpenID Connect by password: see `LoginMethod.openID`.
  ///
  /// - Parameters:
  ///   - issuer: The server's issuer.
  ///   - server: Endpoints that replace the published ones.
  ///   - application: The application.
  ///   - checkURL: Proves the login where the server does not name the user.
  ///   - user: What is filled in at first.
  /// - Returns: The form.
  public static func openID(
    issuer: Issuer, server: OAuth2Server = OAuth2Server(), application: OAuth2Application,
    checkURL: HTTPURL? = nil, user: String = ""
  ) -> LoginForm {
    var form = LoginForm(server: issuer.url.origin, fields: [.user(user), .password]) {
      answers, _ in
      .openID(
        issuer: issuer, server: server, application: application.proven(by: answers),
        flow: .password(user: answers.user, answers.secret()), checkURL: checkURL)
    }
    form.takesClientSecret = true
    return form
  }

  /// The form for OAuth 2 by password: see `LoginMethod.oauth2`.
  ///
  /// - Parameters:
  ///   - tokenURL: The token endpoint.
  ///   - server: The other endpoints.
  ///   - application: The application.
  ///   - checkURL: Proves the login.
  ///   - user: What is filled in at first.
  /// - Returns: The form.
  public static func oauth2(
    tokenURL: HTTPURL, server: OAuth2Server = OAuth2Server(), application: OAuth2Application,
    checkURL: HTTPURL? = nil, user: String = ""
  ) -> LoginForm {
    var form = LoginForm(server: tokenURL.origin, fields: [.user(user), .password]) {
      answers, _ in
      .oauth2(
        tokenURL: tokenURL, server, application: application.proven(by: answers),
        flow: .password(user: answers.user, answers.secret()), checkURL: checkURL)
    }
    form.takesClientSecret = true
    return form
  }
}

extension LiferayPageMode {
  /// The login of the answers.
  fileprivate func login(_ answers: LoginAnswers, _ identity: LiferayIdentity) -> LiferayLogin {
    let (user, password) = (answers.user, answers.secret())
    switch self {
    case .basic:
      return .basic(identity.user(user), password: password)
    case .cookie(let expiration, let isRenewed):
      return .cookie(
        login: user, password: password, cookieExpirationTime: expiration,
        shouldHandleCookieExpiration: isRenewed)
    case .oauth2Password(let client, let secret, let scopes):
      return .oauth2Password(
        user: user, password: password, clientID: client,
        clientSecret: secret ?? answers.secret(LoginForm.clientSecretName), scopes: scopes)
    }
  }
}

extension OAuth2Application {
  /// The application with the secret that was filled in, where one was.
  fileprivate func proven(by answers: LoginAnswers) -> OAuth2Application {
    let secret = answers.secret(LoginForm.clientSecretName)
    guard secret.withBytes({ !$0.isEmpty }) else { return self }
    var application = self
    application.authentication = .secret(secret)
    return application
  }
}

extension LiferayIdentity {
  fileprivate func user(_ text: String) -> LiferayUser {
    switch self {
    case .email: .email(text)
    case .screenName: .screenName(text)
    case .userID: .userID(Int64(text) ?? 0)
    }
  }
}
