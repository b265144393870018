internal import GatebookCrypto

extension LoginMethod {
  /// OAuth 2 (RFC 6749) with endpoints that are set by hand.
  ///
  /// The login is proven by the server's page about the user (`userInfoURL`), which must name the user
  /// by `sub`; where there is none, by the check URL: it is asked without a token first, and must refuse;
  /// with the new token it must answer 2xx. Where there is neither, an application with a secret asks the
  /// server about the token (`introspectionURL`). An application's own tokens need none of these.
  ///
  /// - Parameters:
  ///   - tokenURL: Where codes, passwords and refresh tokens become tokens.
  ///   - server: The other endpoints, as far as the flow needs them.
  ///   - application: The application, as it is registered there.
  ///   - flow: How it comes by tokens.
  ///   - checkURL: Refuses without a token (400, 401, 403 or a redirect) and answers 2xx with one;
  ///     requests to its origin are authorised. Without it those to the token endpoint's origin are.
  ///   - user: The name under which the account is kept where the server names nobody; the typed name
  ///     if it is left out.
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

  /// OpenID Connect (OpenID Connect Core 1.0): OAuth 2 at a server that describes itself and says who
  /// logged in.
  ///
  /// `openid` is asked for also if it is not among the scopes, but in the flow without a person.
  ///
  /// - Parameters:
  ///   - issuer: The server, as it writes its own name, letter by letter; with https, unless it is on
  ///     this machine.
  ///   - server: Endpoints that are set by hand: they win over what the server says.
  ///   - application: The application, as it is registered there.
  ///   - flow: How it comes by tokens.
  ///   - checkURL: Requests to its origin are authorised; it is the proof where the server names
  ///     nobody, as in ``oauth2(tokenURL:_:application:flow:checkURL:user:)``.
  ///   - user: The name under which the account is kept where the server names nobody.
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
      sendsPassword: true, origin: login.exposedOrHome, opensPage: login.grant == .code,
      password: flow.password, settings: login.settings(redirectURI: flow.redirectURI)
    ) {
      var login = login
      if login.application.bindsTokens { login.binding = TokenBinding(key: .generate()) }
      return OAuth2Authenticator<Kind>(login, flow.granting)
    }
  }
}

extension LoginMethod {
  /// The login of a known person at a known server, with what it must bring.
  static func stepUp<Kind: OAuth2Kind>(
    _ login: OAuth2Login, as person: Person, _ redirectURI: String, _ kind: Kind.Type
  ) -> LoginMethod {
    LoginMethod(
      name: Kind.method, person: person, sendsPassword: true, origin: login.exposedOrHome,
      opensPage: true
    ) {
      OAuth2Authenticator<Kind>(login, CodeGrant(redirectURI: redirectURI))
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

  /// The part of the login that comes by the tokens.
  var granting: any OAuth2Granting {
    switch self {
    case .code(let redirectURI): CodeGrant(redirectURI: redirectURI)
    case .device: DeviceGrant()
    case .password(let user, let password): DirectGrant(user: user, password: password)
    case .clientCredentials: DirectGrant()
    }
  }
}
