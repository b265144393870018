public import GatebookCrypto

extension LiferayLogin {
  /// OAuth 1.0a: the user allows the application on a page of the portal.
  ///
  /// Source: Login Screenlet, `loginMode` `oauth` with `OAuthConsumerKey` and `OAuthConsumerSecret`.
  ///
  /// - Parameters:
  ///   - consumerKey: The consumer key at the portal.
  ///   - consumerSecret: Its secret.
  ///   - callback: Where the portal sends the browser, as registered there; `oob` when it shows a
  ///     code instead.
  ///   - requestMethod: The method for requesting temporary credentials; some old portals support only `GET`.
  ///   - requiresConfirmation: Whether the portal must confirm the callback; `false` only for an old portal
  ///     that you trust.
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
        name: LiferayOAuth1Proof.method, person: login.person, sendsPassword: true,
        origin: portal.server.origin, opensPage: true, settings: login.settings
      ) {
        LiferayOAuth1Authenticator(login)
      }
    }
  }
}
