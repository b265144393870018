public import GatebookCrypto
internal import GatebookEvents
internal import GatebookSystem

/// What a login by form needs.
struct FormLogin: Sendable {
  /// Where the form is posted.
  var loginURL: HTTPURL
  /// Refuses without cookies and answers 2xx after the login.
  var checkURL: HTTPURL
  /// The user name.
  var user: String
  /// The password; `nil` only in a session that may not log in again automatically.
  var password: Secret?
  /// The form's field for the name.
  var userField: String
  /// The form's field for the password.
  var passwordField: String
  /// Whether the password is kept with the session.
  var mayLogInAgain: Bool

  /// What the login was asked with; no secrets.
  var settings: Facts {
    [
      "checkURL": .text(checkURL.description), "mayLogInAgain": .bool(mayLogInAgain),
      "passwordField": .text(passwordField), "url": .text(loginURL.description),
      "user": .text(user), "userField": .text(userField),
    ]
  }

  /// The person as far as this method knows one: the server names nobody.
  var person: Person {
    Person(family: FormProof.method, server: loginURL.origin, userID: user, loginName: user)
  }

  /// What would only be found out by a useless request.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    try user.checkAsSetting("user", remedy: "Give a name.")
    try (password ?? Secret("")).checkAsPassword()
    guard loginURL.origin == checkURL.origin else {
      throw .setting(
        "checkURL", "it is at a different server than the login URL.",
        remedy:
          "Give two URLs with the same scheme, host and port: cookies and the password are sent nowhere "
          + "else.")
    }
    guard !userField.isEmpty, !passwordField.isEmpty, userField != passwordField else {
      throw .setting(
        "userField", "the fields for the user name and the password must have different names.",
        remedy: "Give the names of the fields in the server's form.")
    }
  }

  /// The form; sent once, a wrong password must not be counted twice.
  func form() -> HTTPRequest {
    HTTPRequest(
      "POST", loginURL,
      fields: [FormEncoding.contentType],
      body: FormEncoding.encode([
        (name: userField, value: user), (name: passwordField, value: password?.text ?? ""),
      ]),
      isRepeatable: false, limits: .login)
  }

  /// Whether a page asks for the password again: it has the field for it.
  func isForm(_ reply: HTTPReply) -> Bool {
    let page = reply.body.text
    return ["\"", "'", ""].contains { page.contains("name=\($0)\(passwordField)\($0)") }
  }
}

extension LoginMethod {
  /// A login form with cookies; a URL that refuses without them proves the login.
  ///
  /// Neither a redirect nor a new cookie proves a login: servers answer a wrong password with both.
  /// So the check URL is requested twice: without cookies before the form is sent, when it must
  /// refuse and may redirect to the login page, and with the new cookies afterwards.
  ///
  /// - Parameters:
  ///   - loginURL: The URL that the form is sent to.
  ///   - checkURL: A URL that refuses without cookies (401, 403 or a redirect) and answers 2xx
  ///     after the login; at the same server as `loginURL`.
  ///   - user: The user name.
  ///   - password: The password.
  ///   - userField: The form's field for the user name.
  ///   - passwordField: The form's field for the password.
  ///   - mayLogInAgain: Whether to keep the password with the session, to log in again once after
  ///     the server has ended it.
  /// - Returns: The method, for one login.
  public static func form(
    loginURL: HTTPURL, checkURL: HTTPURL, user: String, password: Secret,
    userField: String = "httpd_username", passwordField: String = "httpd_password",
    mayLogInAgain: Bool = false
  ) -> LoginMethod {
    let login = FormLogin(
      loginURL: loginURL, checkURL: checkURL, user: user, password: password,
      userField: userField, passwordField: passwordField, mayLogInAgain: mayLogInAgain)
    return LoginMethod(
      name: FormProof.method, person: login.person, origin: loginURL.origin,
      password: password, settings: login.settings
    ) {
      FormAuthenticator(login)
    }
  }
}
