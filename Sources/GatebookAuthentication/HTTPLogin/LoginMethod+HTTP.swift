public import GatebookCrypto

extension LoginMethod {
  /// HTTP authentication: Digest (RFC 7616) or Basic (RFC 7617), the strongest that the server offers.
  ///
  /// The first request is sent without credentials and must be refused; a second one with them must be
  /// accepted. A URL that answers without credentials proves nothing and is rejected as `login.unprovable`.
  /// After a login by Digest the password is not kept, only the hashes for this server's realm.
  ///
  /// - Parameters:
  ///   - url: A URL that refuses without credentials and answers 2xx with them. With Basic the password is sent
  ///     to its folder and below (RFC 7617 section 2.2), and elsewhere only if the server asks for it.
  ///   - user: The user name, without a colon.
  ///   - password: The password.
  /// - Returns: The method, for one login.
  public static func http(url: HTTPURL, user: String, password: Secret) -> LoginMethod {
    let login = HTTPLogin(
      url: url, credential: HTTPCredential(user: user, .password(password)))
    return LoginMethod(
      name: HTTPProof.method, person: login.person, sendsPassword: true, origin: url.origin,
      password: password, settings: login.settings
    ) {
      // `sendsPassword` and `origin` say what the book has to permit; a machine that runs may.
      let authorizer = HTTPAuthorizer(
        url.origin, credential: login.credential, allowsCleartext: true)
      return HTTPAuthenticator(login, authorizer, .login)
    }
  }
}
