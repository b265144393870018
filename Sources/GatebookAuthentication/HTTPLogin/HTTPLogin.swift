public import GatebookCrypto
internal import GatebookEvents

/// What a login by HTTP authentication needs.
struct HTTPLogin: Sendable {
  /// Refuses without credentials and answers 2xx with them.
  var url: HTTPURL
  /// Who logs in, and what proves it.
  var credential: HTTPCredential

  /// Refuses what no server could take.
  ///
  /// The rules of Basic hold before it is known which scheme the server asks for. They are those of
  /// Digest too: the colon parts name, realm and password there, and control characters neither fit
  /// into a quoted string nor belong into a password (RFC 8265 section 4.2.1).
  ///
  /// - Throws: `configuration.invalid`.
  func check() throws(GatebookError) {
    try credential.user.checkAsSetting("user", remedy: "Give a name.")
    guard case .password(let password) = credential.evidence else { return }
    try password.checkAsPassword()
    _ = try BasicCredentials(user: credential.user, password: password.text)
  }

  /// What the login was asked with; no secrets.
  var settings: Facts {
    ["url": .text(url.description), "user": .text(credential.user)]
  }

  /// The person as far as this method knows one: the server names nobody.
  var person: Person {
    Person(
      family: HTTPProof.method, server: url.origin, userID: credential.user,
      loginName: credential.user)
  }
}

extension LoginMethod {
  /// HTTP authentication: Digest (RFC 7616) or Basic (RFC 7617), the strongest that the server
  /// offers.
  ///
  /// The first request is sent without credentials and must be refused; a second one with them must
  /// be accepted. A URL that answers without credentials proves nothing and is rejected as
  /// `login.unprovable`. After a login by Digest the password is not kept, only the hashes for this
  /// server's realm.
  ///
  /// - Parameters:
  ///   - url: A URL that refuses without credentials and answers 2xx with them. With Basic the
  ///     password is sent to its folder and below (RFC 7617 section 2.2), and elsewhere only if the
  ///     server asks for it.
  ///   - user: The user name, without a colon.
  ///   - password: The password.
  /// - Returns: The method, for one login.
  public static func http(url: HTTPURL, user: String, password: Secret) -> LoginMethod {
    let login = HTTPLogin(
      url: url, credential: HTTPCredential(user: user, .password(password)))
    return LoginMethod(
      name: HTTPProof.method, person: login.person, origin: url.origin,
      password: password, settings: login.settings
    ) {
      // `origin` says what the book has to permit; a machine that runs may.
      let authorizer = HTTPAuthorizer(
        url.origin, credential: login.credential, allowsCleartext: true)
      return HTTPAuthenticator(login, authorizer)
    }
  }
}
