internal import GatebookCrypto

extension LoginMethod {
  /// OAuth 2 (RFC 6749) with endpoints that the app sets.
  ///
  /// The userinfo endpoint (`userInfoURL`), which must name the user by `sub`, proves the login.
  /// Without one, the check URL does: it must refuse without a token, and answer 2xx with the new
  /// one. Without both, a client with a secret asks the introspection endpoint
  /// (`introspectionURL`). An application's own tokens need none of these.
  ///
  /// - Parameters:
  ///   - tokenURL: The token endpoint.
  ///   - server: The other endpoints, as far as the flow needs them.
  ///   - application: The application, as it is registered at the server.
  ///   - flow: How it gets tokens.
  ///   - checkURL: A URL that refuses without a token (400, 401, 403 or a redirect) and answers 2xx
  ///     with one. The token is sent to its origin; without it, to the origin of the token
  ///     endpoint.
  ///   - user: The account's name if the server does not name the user; default: the typed name.
  /// - Returns: The method, for one login.
  public static func oauth2(
    tokenURL: HTTPURL, _ server: OAuth2Server, application: OAuth2Application, flow: OAuth2Flow,
    checkURL: HTTPURL? = nil, user: String? = nil
  ) -> LoginMethod {
    var server = server
    server.tokenURL = tokenURL
    var login = OAuth2Login(server: server, application: application, grant: OAuth2Grant(flow))
    login.checkURL = checkURL
    login.user = user ?? flow.user
    return method(login, flow, PlainOAuth2.self)
  }

  /// OpenID Connect (OpenID Connect Core 1.0): OAuth 2 at a server that publishes its metadata and
  /// names the user.
  ///
  /// The scope `openid` is always requested, except in the flow without a user.
  ///
  /// - Parameters:
  ///   - issuer: The server's issuer, exactly as the server writes it; with https, unless it is on
  ///     this machine.
  ///   - server: Endpoints that override the server's metadata.
  ///   - application: The application, as it is registered at the server.
  ///   - flow: How it gets tokens.
  ///   - checkURL: The token is sent to its origin. It proves the login if the server does not name
  ///     the user, as in ``oauth2(tokenURL:_:application:flow:checkURL:user:)``.
  ///   - user: The account's name if the server does not name the user.
  /// - Returns: The method, for one login.
  public static func openID(
    issuer: Issuer, server: OAuth2Server = OAuth2Server(), application: OAuth2Application,
    flow: OAuth2Flow, checkURL: HTTPURL? = nil, user: String? = nil
  ) -> LoginMethod {
    var application = application
    let grant = OAuth2Grant(flow)
    if !application.asksForIdentity, grant != .clientCredentials {
      application.scopes.insert("openid", at: 0)
    }
    var login = OAuth2Login(server: server, application: application, grant: grant)
    login.issuer = issuer
    login.checkURL = checkURL
    login.user = user ?? flow.user
    return method(login, flow, OpenIDConnect.self)
  }

  private static func method<Kind: OAuth2Kind>(
    _ login: OAuth2Login, _ flow: OAuth2Flow, _ kind: Kind.Type
  ) -> LoginMethod {
    // An application's own account is named by its id; who visits a page types the name there.
    let isApplication = login.grant == .clientCredentials
    // So is a name for the case that the server names nobody: until it has, it is nobody's.
    let typed = flow.user ?? (login.expectsIdentity ? nil : login.user)
    let name = (isApplication ? login.application.clientID : typed) ?? ""
    return LoginMethod(
      name: Kind.method, person: login.person(Kind.method, userID: name, loginName: name),
      origin: login.exposedOrHome, opensPage: login.grant == .code,
      password: flow.password, settings: login.settings(redirectURI: flow.redirectURI)
    ) {
      var login = login
      if login.application.bindsTokens { login.binding = TokenBinding(key: .generate()) }
      return OAuth2Authenticator<Kind>(login, flow)
    }
  }
}

extension LoginMethod {
  /// The login of a known person at a known server, with what it must bring.
  static func stepUp<Kind: OAuth2Kind>(
    _ login: OAuth2Login, as person: Person, _ redirectURI: String, _ kind: Kind.Type
  ) -> LoginMethod {
    LoginMethod(
      name: Kind.method, person: person, origin: login.exposedOrHome,
      opensPage: true
    ) {
      OAuth2Authenticator<Kind>(login, .code(redirectURI: redirectURI))
    }
  }
}

extension OAuth2Flow {
  /// The name that is typed.
  var user: String? {
    if case .password(let user, _) = self { user } else { nil }
  }

  /// Where the server sends the browser; `nil` where there is none.
  var redirectURI: String? {
    if case .code(let redirectURI) = self { redirectURI } else { nil }
  }

  /// The password that is typed.
  var password: Secret? {
    if case .password(_, let password) = self { password } else { nil }
  }
}
