internal import GatebookFakes
internal import Testing

@testable internal import Gatebook
@testable internal import GatebookCLI

/// What a login was asked with becomes the arguments that ask for the same.
struct LoginLineTests {
  private let account = AccountID(high: 1, low: 2)

  /// The words of a login's line; `nil` where no option says all of it.
  private func words(
    _ method: LoginMethod, _ change: (inout LoginOptions) -> Void = { _ in }
  ) throws -> String? {
    var options = LoginOptions()
    change(&options)
    let record = try #require(SavedSettings.record(method.name, method.settings, options))
    let settings = try #require(
      SavedSettings(record.encoded, of: account, trust: Trust(pins: [KeyHash(of: [1])])))
    return LoginLine(settings)?.words.map(ShellText.word).joined(separator: " ")
  }

  private func url(_ text: String) throws -> HTTPURL { try #require(HTTPURL(text)) }

  private func gateway(cookies: Bool = true, field: HTTPField? = nil) throws -> LoginMethod {
    .fcsdk(
      try FCSDKGateway(server: "gw.example", path: "/own/login", useCookies: cookies, field: field),
      user: "ada", password: Secret("canary"))
  }

  @Test func `options of every login follow those of the method`() throws {
    let method = LoginMethod.http(
      url: try url("https://files.example/a"), user: "ada", password: Secret("canary"))
    #expect(try words(method) == "login http --url https://files.example/a")
    let line = try words(method) { options in
      options.allowsCleartext = true
      options.offlineLimit = .milliseconds(1_500)
      options.origins = [Origin(scheme: "https", host: "other.example", port: 443)]
      options.notes = ["timeout": "20", "no-browser": "", "redirect": ""]
      options.saveCredentials = true
      options.label = "files"
    }
    #expect(
      line == "login http --url https://files.example/a --save-credentials --offline-limit 2 "
        + "--allow-origin https://other.example --allow-cleartext --timeout 20")
  }

  @Test(arguments: ["?api_key=K", "?K", "?a=&b=c"])
  func `a URL whose query may be a key is asked again, and not printed`(_ query: String) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let reader = try BookReader.open(at: scene.book, key: KeyFile(path: try scene.keyFile()))
    let context = try #require(try reader.accounts().first)
    let (login, check) = ("https://shop.example/in", "https://shop.example/me")
    for (page, proof) in [(login + query, check), (login, check + query)] {
      let method = LoginMethod.form(
        loginURL: try url(page), checkURL: try url(proof), user: "ada", password: Secret("canary"))
      let record = try #require(SavedSettings.record(method.name, method.settings, LoginOptions()))
      let settings = try #require(SavedSettings(record.encoded, of: account, trust: .system))
      #expect(LoginLine(settings)?.words.contains { $0.hasSuffix(query) } == true)
      #expect(NextLogin(context, settings).command() == "gatebook login --account ada")
    }
  }

  @Test(
    arguments: [
      (500, nil), (1_000, "1"), (90_500, "90"), (86_400_000, "86400"), (86_401_000, nil),
      (600_000, nil),
    ] as [(Int, String?)])
  func `a redirect limit that the option refuses is left out`(
    _ milliseconds: Int, _ seconds: String?
  ) throws {
    let line = try words(page(redirectURI: "http://127.0.0.1:8765/back")) { options in
      options.redirectLimit = .milliseconds(milliseconds)
    }
    let option = seconds.map { " --redirect-timeout \($0)" } ?? ""
    #expect(line?.hasSuffix(" --redirect http://127.0.0.1:8765/back\(option)") == true)
  }

  @Test(
    arguments: [
      ("http://127.0.0.1:40123/callback", nil, nil),
      ("http://127.0.0.1:40123/callback", "", nil),
      ("http://127.0.0.1:40123/callback", "http://127.0.0.1:40123/callback", true),
      ("http://127.0.0.1:8765/back", nil, true), ("http://[::1]:8765/callback", nil, true),
      ("app:/back", nil, true),
    ] as [(String, String?, Bool?)])
  func `a port that was free for one login alone is not asked for again`(
    _ uri: String, _ note: String?, _ isNamed: Bool?
  ) throws {
    let line = try words(page(redirectURI: uri)) { options in
      if let note { options.notes = ["redirect": note] }
    }
    #expect(line?.contains("--redirect") == (isNamed ?? false), "\(line ?? "")")
  }

  private func page(redirectURI: String) throws -> LoginMethod {
    .openID(
      issuer: try #require(Issuer("https://id.example/realm")),
      application: OAuth2Application(clientID: "app"), flow: .code(redirectURI: redirectURI))
  }

  @Test func `a form names the fields that are not the usual ones`() throws {
    let (login, check) = (try url("https://shop.example/in"), try url("https://shop.example/me"))
    let usual = LoginMethod.form(
      loginURL: login, checkURL: check, user: "ada", password: Secret("canary"))
    #expect(
      try words(usual) == "login form --url https://shop.example/in --check https://shop.example/me"
    )
    let other = LoginMethod.form(
      loginURL: login, checkURL: check, user: "ada", password: Secret("canary"),
      userField: "-name", passwordField: "secret word")
    #expect(
      try words(other)?.hasSuffix(" '--user-field=-name' --password-field 'secret word'") == true)
  }

  @Test func `a gateway's field is named by its file, and by nothing else`() throws {
    let field = HTTPField("X-Key", "canary")
    #expect(
      try words(gateway()) == "login fcsdk --server https://gw.example:8443 --path /own/login")
    #expect(try words(gateway(field: field)) == nil)
    #expect(try words(gateway(cookies: false))?.hasSuffix(" --no-cookies") == true)
    let line = try words(gateway(field: field)) { $0.notes = ["header": "/etc/key"] }
    #expect(line?.hasSuffix(" --header @/etc/key") == true, "\(line ?? "")")
  }

  @Test func `an application's secret is named by its file, or asked for`() throws {
    let issuer = try #require(Issuer("https://id.example/realm"))
    func oidc(
      _ authentication: OAuth2Application.Authentication,
      _ change: (inout OAuth2Application) -> Void = { _ in }
    ) -> LoginMethod {
      var application = OAuth2Application(
        clientID: "app", authentication: authentication, scopes: ["openid", "mail"])
      change(&application)
      return .openID(
        issuer: issuer, application: application,
        flow: .code(redirectURI: "http://127.0.0.1:8765/back"))
    }
    let start = "login oidc --issuer https://id.example/realm --client-id app"
    let end = "--scopes 'openid mail' --redirect http://127.0.0.1:8765/back"
    let secret = Secret("canary")
    #expect(try words(oidc(.none)) == "\(start) \(end)")
    #expect(try words(oidc(.secret(secret))) == "\(start) --client-auth basic \(end)")
    #expect(try words(oidc(.post(secret))) == "\(start) --client-auth post \(end)")
    #expect(try words(oidc(.rawBasic(secret))) == "\(start) --client-auth raw-basic \(end)")
    let named = try words(oidc(.secret(secret))) { options in
      options.notes = ["client-secret-file": "/etc/app", "redirect": "", "no-browser": ""]
      options.redirectLimit = .seconds(90)
    }
    #expect(
      named == "\(start) --client-secret-file /etc/app --scopes 'openid mail' --no-browser "
        + "--redirect-timeout 90")
    let key = try OAuth2Application.Authentication.privateKey(
      Secret(FakeIdentityServer.clientKeyPEM), keyID: "k1", audience: .askedEndpoint)
    #expect(try words(oidc(key)) == nil)
    let signed = try words(oidc(key)) { $0.notes = ["client-secret-file": "/etc/app.pem"] }
    #expect(
      signed == "\(start) --client-secret-file /etc/app.pem --client-auth private-key-jwt "
        + "--key-id k1 --assertion-audience endpoint \(end)")
    let strict = oidc(.none) { application in
      application.demandsBoundTokens = true
      application.bindsTokens = true
      application.tokenAlgorithms = ["ES256"]
      application.trustedAudiences = ["other"]
    }
    #expect(
      try words(strict) == "\(start) --scopes 'openid mail' --require-dpop --id-token-alg ES256 "
        + "--trust-audience other --redirect http://127.0.0.1:8765/back")
    let ruled = oidc(.none) { $0.idTokenRules.ignoresUnexpectedNonce = true }
    #expect(try words(ruled) == nil)
  }

  @Test func `endpoints that were set by hand are named, each by its option`() throws {
    var server = OAuth2Server()
    server.userInfoURL = try url("https://id.example/me")
    server.revocationURL = try url("https://id.example/revoke")
    func method() throws -> LoginMethod {
      .oauth2(
        tokenURL: try url("https://id.example/token"), server,
        application: OAuth2Application(clientID: "app"),
        flow: .password(user: "ada", Secret("canary")))
    }
    #expect(
      try words(method()) == "login oauth2 --token-url https://id.example/token --userinfo-url "
        + "https://id.example/me --revoke-url https://id.example/revoke --client-id app --flow password"
    )
    server.trustsS256 = true
    #expect(try words(method()) == nil, "`login oauth2` has no option for it")
  }

  @Test func `a portal's modes name what each was given`() throws {
    var portal = LiferayPortal(
      server: try url("https://portal.example/"), companyID: 7, groupID: 8, version: .v62)
    let (start, end) = (
      "login liferay --server https://portal.example/",
      "--company-id 7 --group-id 8 --portal-version 6.2"
    )
    let secret = Secret("canary")
    #expect(
      try words(.liferay(portal, .basic(.screenName("ada"), password: secret)))
        == "\(start) --by screen-name \(end)")
    #expect(
      try words(.liferay(portal, .basic(.email("a@b"), password: secret, verifyIdentity: true)))
        == nil)
    portal = LiferayPortal(server: portal.server)
    let plain = "login liferay --server https://portal.example/ --mode"
    #expect(
      try words(
        .liferay(
          portal,
          .cookie(
            login: "ada", password: secret, cookieExpirationTime: .seconds(60),
            shouldHandleCookieExpiration: false)))
        == "\(plain) cookie --cookie-lifetime 60 --no-cookie-refresh")
    #expect(
      try words(.liferay(portal, .cookie(login: "ada", password: secret, rememberMe: true))) == nil)
    #expect(
      try words(
        .liferay(
          portal, .oauth(consumerKey: "key", consumerSecret: secret, callback: "oob")))
        == "\(plain) oauth --consumer-key key --redirect oob")
    #expect(
      try words(
        .liferay(
          portal,
          .oauth2Redirect(
            clientID: "app", redirectURI: "app:/back", clientSecret: secret, scopes: ["a", "b"])))
        == "\(plain) oauth2-redirect --client-id app --client-auth basic --scopes 'a b' --redirect "
        + "app:/back")
    var paths = LiferayOAuth2Paths()
    paths.revoke = "o/revoke"
    #expect(
      try words(
        .liferay(
          portal, .oauth2Redirect(clientID: "app", redirectURI: "app:/back", paths: paths))) == nil)
  }

  @Test func `further scopes join those of the last login`() throws {
    func line(_ scopes: [String]) throws -> LoginLine {
      let method = LoginMethod.oauth2(
        tokenURL: try url("https://id.example/token"), OAuth2Server(),
        application: OAuth2Application(clientID: "app", scopes: scopes), flow: .clientCredentials)
      let record = try #require(
        SavedSettings.record(method.name, method.settings, LoginOptions()))
      let settings = try #require(SavedSettings(record.encoded, of: account, trust: .system))
      return try #require(LoginLine(settings))
    }
    #expect(try line(["a", "b"]).asking(for: ["b", "c"]) == "a b c")
    #expect(try line([]).asking(for: ["c"]) == "c")
    #expect(try line([]).asking(for: ["c\u{1B}"]) == nil)
    // Scopes that the server granted unasked are kept, and requested ones come first.
    #expect(try line([]).asking(for: ["c"], granted: ["a", "c"]) == "a c")
    #expect(try line(["a"]).asking(for: ["c"], granted: ["d"]) == "a c")
    // Such a text is joined to the option.
    let dashed = try line(["-x"])
    #expect(dashed.scopes == ["-x"])
    #expect(dashed.words.last == "--scopes=-x")
    #expect(dashed.asking(for: ["c"]) == "-x c")
  }

  @Test(
    arguments: [
      ([], [], "--scopes c", "requests them"),
      ([], ["a", "b"], "--scopes 'a b c'", "requests them and the earlier scopes"),
      (["a"], ["d"], "--scopes 'a c'", "requests them and the earlier scopes"),
    ] as [([String], [String], String, String)])
  func `former scopes are shown where there are some`(
    _ named: [String], _ granted: [String], _ option: String, _ effect: String
  ) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let reader = try BookReader.open(at: scene.book, key: KeyFile(path: try scene.keyFile()))
    let context = try #require(try reader.accounts().first)
    let method = LoginMethod.oauth2(
      tokenURL: try url("https://id.example/token"), OAuth2Server(),
      application: OAuth2Application(clientID: "app", scopes: named), flow: .clientCredentials)
    let record = try #require(SavedSettings.record(method.name, method.settings, LoginOptions()))
    let settings = try #require(SavedSettings(record.encoded, of: account, trust: .system))
    let clause = NextLogin(context, settings, granted: granted).clause(askingFor: ["c"])
    #expect(clause == "`gatebook login --account ada \(option)` \(effect)")
  }

  @Test func `only a login for tokens gets the advice to add scopes`() throws {
    let portal = LiferayPortal(server: try url("https://portal.example/"))
    let rows: [(LoginMethod, Bool)] = [
      (.http(url: try url("https://files.example/a"), user: "ada", password: Secret("x")), false),
      (.liferay(portal, .basic(.email("a@b"), password: Secret("x"))), false),
      (.liferay(portal, .oauth2Redirect(clientID: "app", redirectURI: "app:/back")), true),
      (try page(redirectURI: "app:/back"), true),
    ]
    for (method, takesScopes) in rows {
      let record = try #require(SavedSettings.record(method.name, method.settings, LoginOptions()))
      let settings = try #require(SavedSettings(record.encoded, of: account, trust: .system))
      let line = try #require(LoginLine(settings))
      #expect(line.takesScopes == takesScopes, "\(method.name)")
      #expect((line.asking(for: ["c"]) != nil) == takesScopes, "\(method.name)")
    }
  }
}
