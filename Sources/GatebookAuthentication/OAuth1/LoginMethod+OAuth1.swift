extension LoginMethod {
  /// OAuth 1.0a (RFC 5849): the person allows the application on a page of the server.
  ///
  /// The check URL proves the login: it is asked without a signature first, and must refuse; with
  /// the new token it must answer 2xx. A token lives until the person revokes it; then the session
  /// needs a login.
  ///
  /// - Parameters:
  ///   - service: The endpoints.
  ///   - consumer: The application, as it is registered there.
  ///   - checkURL: Refuses without a signature (400, 401, 403 or a redirect) and answers 2xx with
  ///     one; requests to its origin are signed.
  ///   - user: The name under which the account is kept: the server names nobody.
  ///   - callback: Where the server sends the browser; `oob` when it shows a code instead.
  /// - Returns: The method, for one login.
  public static func oauth1(
    _ service: OAuth1Service, consumer: OAuth1Consumer, checkURL: HTTPURL, user: String,
    callback: String
  ) -> LoginMethod {
    let login = OAuth1Login(service: service, consumer: consumer, callback: callback)
    let target = OAuth1Target(checkURL: checkURL, user: user)
    return LoginMethod(
      name: OAuth1Proof.method, person: target.person(of: consumer), sendsPassword: true,
      origin: exposed(service.accessTokenURL, checkURL), opensPage: true,
      settings: login.settings(for: target)
    ) {
      OAuth1Authenticator(login, target)
    }
  }

  /// The origin whose permission counts: one without TLS, if there is one.
  private static func exposed(_ urls: HTTPURL...) -> Origin {
    let exposed = urls.first { !$0.origin.isSecure && !$0.origin.isLoopback }
    return (exposed ?? urls[0]).origin
  }
}
