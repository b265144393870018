internal import GatebookEvents

/// What a login by OAuth 1.0a needs, whatever proves it in the end.
struct OAuth1Login: Sendable {
  /// The endpoints.
  var service: OAuth1Service
  /// The application.
  var consumer: OAuth1Consumer
  /// Where the server sends the browser, or `oob`.
  var callback: String

  /// What would only be found out by a useless request.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    try service.check()
    try consumer.check()
    guard callback == AwaitedRedirect.outOfBand || AbsoluteURI.isValid(callback) else {
      throw .setting(
        "callback", "it is not an absolute URI.",
        remedy: "Give the registered callback, or `oob` for a code that the user types.")
    }
  }

  /// What the login was asked with; no secrets.
  func settings(for target: OAuth1Target) -> Facts {
    [
      "checkURL": .text(target.checkURL.description), "consumerKey": .text(consumer.key),
      "redirectURI": .text(callback), "service": .object(service.record),
      "signature": .text(consumer.signature.name), "user": .text(target.user),
    ]
  }
}

extension OAuth1Login: StoredRecord {
  /// The login, secrets included.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    callback = try facts.required("callback", kept?.callback)
    consumer = try facts.required("consumer", kept?.consumer)
    service = try facts.required("service", kept?.service)
  }
}

/// What an OAuth 1.0a login is for: the server that the token opens, and whose it is.
struct OAuth1Target: Sendable {
  /// Refuses without a signature and answers 2xx with one.
  var checkURL: HTTPURL
  /// The name under which the app keeps the account.
  var user: String

  /// The person as far as this method knows one: the server names nobody.
  ///
  /// - Parameter consumer: The application.
  /// - Returns: The person.
  func person(of consumer: OAuth1Consumer) -> Person {
    Person(
      family: OAuth1Proof.method, server: checkURL.origin, client: consumer.key, userID: user,
      loginName: user)
  }

  /// What would only be found out by a useless request.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    try user.checkAsSetting("user", remedy: "Give a name for the account.")
  }
}

extension OAuth1Target: StoredRecord {
  /// Where the login is proven, and whose it is.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    checkURL = try facts.required("checkUrl", kept?.checkURL)
    user = try facts.required("user", kept?.user)
  }
}

extension LoginMethod {
  /// OAuth 1.0a (RFC 5849): the user allows the application on a page of the server.
  ///
  /// The check URL proves the login: it must refuse without a signature, and answer 2xx with the
  /// new token. A token is valid until the user revokes it; then the session needs a login.
  ///
  /// - Parameters:
  ///   - service: The endpoints.
  ///   - consumer: The application, as it is registered at the server.
  ///   - checkURL: A URL that refuses without a signature (400, 401, 403 or a redirect) and answers
  ///     2xx with one; requests to its origin are signed.
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
      name: OAuth1Proof.method, person: target.person(of: consumer),
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
