public import GatebookCrypto

extension LoginMethod {
  /// A login form with cookies; a URL that refuses without them proves the login.
  ///
  /// Neither a redirect nor a new cookie proves a login: servers answer a wrong password with both. So the
  /// check URL is requested twice: without cookies before the form is sent, when it must refuse and may
  /// redirect to the login page, and with the new cookies afterwards.
  ///
  /// - Parameters:
  ///   - loginURL: The URL that the form is sent to.
  ///   - checkURL: A URL that refuses without cookies (401, 403 or a redirect) and answers 2xx after the login;
  ///     at the same server as `loginURL`.
  ///   - user: The user name.
  ///   - password: The password.
  ///   - userField: The form's field for the user name.
  ///   - passwordField: The form's field for the password.
  ///   - mayLogInAgain: Whether to keep the password with the session, to log in again once after the server
  ///     has ended it.
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
      name: FormProof.method, person: login.person, sendsPassword: true, origin: loginURL.origin,
      password: password, settings: login.settings
    ) {
      FormAuthenticator(login)
    }
  }
}
