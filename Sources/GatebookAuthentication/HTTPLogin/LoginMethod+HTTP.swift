public import GatebookCrypto

extension LoginMethod {
  /// HTTP authentication with whatever the server asks for that Gatebook knows: Basic.
  ///
  /// Two requests: the first without credentials must be refused, the second with them must be
  /// accepted. A URL that anybody may read proves nothing and is refused as `login.unprovable`.
  ///
  /// - Parameters:
  ///   - url: A URL that refuses without credentials and answers 2xx with them. Credentials go to
  ///     its folder and below (RFC 7617 section 2.2), nowhere else.
  ///   - user: The user name, without a colon.
  ///   - password: The password.
  /// - Returns: The method, for one login.
  public static func http(url: HTTPURL, user: String, password: Secret) -> LoginMethod {
    let login = HTTPLogin(url: url, user: user, password: password)
    return LoginMethod(
      name: HTTPProof.method, person: login.person, sendsPassword: true, origin: url.origin
    ) {
      HTTPAuthenticator(login)
    }
  }
}
