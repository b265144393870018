public import GatebookCrypto

extension LoginMethod {
  /// A login form with cookies, proven by a URL that refuses without them.
  ///
  /// Neither a redirect nor a new cookie proves a login: servers answer a wrong password with both.
  /// So the check URL is asked twice: without cookies before the form is posted (it must refuse;
  /// where it redirects to is the login page), and with the new cookies after it.
  ///
  /// - Parameters:
  ///   - loginURL: Where the form is posted.
  ///   - checkURL: Refuses without cookies (401, 403 or a redirect) and answers 2xx afterwards; at
  ///     the same server as `loginURL`.
  ///   - user: The user name.
  ///   - password: The password.
  ///   - userField: The form's field for the name.
  ///   - passwordField: The form's field for the password.
  ///   - mayLogInAgain: Whether the password is kept with the session, to log in again once when
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
      name: FormProof.method, person: login.person, sendsPassword: true, origin: loginURL.origin,
      password: password, settings: login.settings
    ) {
      FormAuthenticator(login)
    }
  }
}
