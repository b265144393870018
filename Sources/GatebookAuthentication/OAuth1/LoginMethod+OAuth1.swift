extension LoginMethod {
  /// OAuth 1.0a (RFC 5849): the user allows the application on a page of the server.
  ///
  /// The check URL proves the login: it must refuse without a signature, and answer 2xx with the new token. A
  /// token is valid until the user revokes it; then the session needs a login.
  ///
  /// - Parameters:
  ///   - service: The endpoints.
  ///   - consumer: The application, as it is registered at the server.
  ///   - checkURL: A URL that refuses without a signature (400, 401, 403 or a redirect) and answers 2xx with
  ///     one; requests to its origin are signed.
  ///   - user: The account's name, because the server does not name the user.
  ///   - callback: The registered callback; `oob` if the server shows a code instead.
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
