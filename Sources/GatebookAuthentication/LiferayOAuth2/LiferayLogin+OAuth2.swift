public import GatebookCrypto

extension LiferayLogin {
  /// OAuth 2 on the portal's own page, with PKCE; Gatebook never sees the password.
  ///
  /// Source: Login Screenlet, `loginMode` `oauth2Redirect`.
  ///
  /// - Parameters:
  ///   - clientID: The client ID, as registered at the portal.
  ///   - redirectURI: Where the portal sends the browser: a loopback URL such as that of a
  ///     ``LoopbackListener``, or a URI of the app's own scheme. It must be registered at the
  ///     portal.
  ///   - clientSecret: Only for a client that is not public.
  ///   - scopes: The scopes to request; empty for all that are registered for the client.
  ///   - paths: The paths of the portal's OAuth 2.
  /// - Returns: The mode.
  public static func oauth2Redirect(
    clientID: String, redirectURI: String, clientSecret: Secret? = nil, scopes: [String] = [],
    paths: LiferayOAuth2Paths = LiferayOAuth2Paths()
  ) -> LiferayLogin {
    oauth2(
      .code(redirectURI: redirectURI), LiferayRedirectGrant.self, clientID, clientSecret, scopes,
      paths)
  }

  /// OAuth 2 with user name and password; not for 6.2.
  ///
  /// Source: Login Screenlet, `loginMode` `oauth2UsernameAndPassword`.
  ///
  /// - Parameters:
  ///   - user: The login name, of the kind the portal is set to.
  ///   - password: The password; it is not kept.
  ///   - clientID: The client ID, as registered at the portal.
  ///   - clientSecret: The client's secret.
  ///   - scopes: The scopes to request; empty for all that are registered for the client.
  ///   - paths: The paths of the portal's OAuth 2.
  /// - Returns: The mode.
  public static func oauth2Password(
    user: String, password: Secret, clientID: String, clientSecret: Secret,
    scopes: [String] = [], paths: LiferayOAuth2Paths = LiferayOAuth2Paths()
  ) -> LiferayLogin {
    oauth2(
      .password(user: user, password), LiferayPasswordGrant.self, clientID, clientSecret, scopes,
      paths)
  }

  private static func oauth2<Grant: LiferayOAuth2Grant>(
    _ flow: OAuth2Flow, _ kind: Grant.Type, _ clientID: String, _ clientSecret: Secret?,
    _ scopes: [String], _ paths: LiferayOAuth2Paths
  ) -> LiferayLogin {
    LiferayLogin { portal in
      let login = LiferayOAuth2Login(
        portal: portal,
        client: OAuth2Client(
          id: clientID, secret: clientSecret,
          authentication: clientSecret == nil ? .none : .basicRaw),
        scopes: scopes.joined(separator: " "), paths: paths)
      return LoginMethod(
        name: Grant.method, person: portal.person(named: flow.user ?? ""),
        origin: portal.server.origin, opensPage: Grant.grant == .code, password: flow.password,
        settings: login.settings(user: flow.user, redirectURI: flow.redirectURI)
      ) {
        LiferayOAuth2Authenticator<Grant>(login, flow)
      }
    }
  }
}
