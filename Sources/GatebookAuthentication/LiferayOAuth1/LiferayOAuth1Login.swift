public import GatebookCrypto
internal import GatebookEvents

/// What a Liferay login by OAuth 1.0a needs.
struct LiferayOAuth1Login: Sendable {
  /// The portal.
  var portal: LiferayPortal
  /// The application.
  var consumer: OAuth1Consumer
  /// Where the portal sends the browser, or `oob`.
  var callback: String
  /// How temporary credentials are asked for.
  var requestMethod: OAuth1Service.RequestMethod
  /// Whether the portal must confirm the callback.
  var requiresConfirmation: Bool

  /// What the login was asked with; no secrets.
  var settings: Facts {
    [
      "consumerKey": .text(consumer.key), "portal": .object(portal.record),
      "redirectURI": .text(callback), "requestMethod": .text(requestMethod.rawValue),
      "requiresConfirmation": .bool(requiresConfirmation),
    ]
  }

  /// The person before the portal has answered: who logs in says so in the browser.
  var person: Person { portal.person(named: "") }

  /// The login with the portal's own endpoints.
  ///
  /// - Throws: `configuration.invalid` for what no portal can have.
  func oauth() throws(GatebookError) -> OAuth1Login {
    try portal.check()
    return OAuth1Login(
      service: OAuth1Service(
        requestTokenURL: try portal.url("c/portal/oauth/request_token"),
        authorisationURL: try portal.url("c/portal/oauth/authorize"),
        accessTokenURL: try portal.url("c/portal/oauth/access_token"),
        requestMethod: requestMethod, requiresConfirmation: requiresConfirmation),
      consumer: consumer, callback: callback)
  }
}

extension LiferayOAuth1Login: StoredRecord {
  /// Portal and consumer, secrets included.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    callback = try facts.required("callback", kept?.callback)
    consumer = try facts.required("consumer", kept?.consumer)
    portal = try facts.required("portal", kept?.portal)
    requestMethod = try facts.required("requestMethod", kept?.requestMethod)
    requiresConfirmation = try facts.required("requiresConfirmation", kept?.requiresConfirmation)
  }
}

extension LiferayLogin {
  /// OAuth 1.0a: the user allows the application on a page of the portal.
  ///
  /// Source: Login Screenlet, `loginMode` `oauth` with `OAuthConsumerKey` and
  /// `OAuthConsumerSecret`.
  ///
  /// - Parameters:
  ///   - consumerKey: The consumer key at the portal.
  ///   - consumerSecret: Its secret.
  ///   - callback: Where the portal sends the browser, as registered there; `oob` when it shows a
  ///     code instead.
  ///   - requestMethod: The method for requesting temporary credentials; some old portals support
  ///     only `GET`.
  ///   - requiresConfirmation: Whether the portal must confirm the callback; `false` only for an
  ///     old portal that you trust.
  /// - Returns: The mode.
  public static func oauth(
    consumerKey: String, consumerSecret: Secret, callback: String = "screens://oauth_callback",
    requestMethod: OAuth1Service.RequestMethod = .post, requiresConfirmation: Bool = true
  ) -> LiferayLogin {
    LiferayLogin { portal in
      let login = LiferayOAuth1Login(
        portal: portal, consumer: OAuth1Consumer(key: consumerKey, secret: consumerSecret),
        callback: callback, requestMethod: requestMethod,
        requiresConfirmation: requiresConfirmation)
      return LoginMethod(
        name: LiferayOAuth1Proof.method, person: login.person,
        origin: portal.server.origin, opensPage: true, settings: login.settings
      ) {
        LiferayOAuth1Authenticator(login)
      }
    }
  }
}
