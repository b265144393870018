internal import Gatebook

/// `gatebook login liferay`.
struct LoginLiferayCommand: RepeatableLogin {
  private static let server = CommandOption.value(
    "--server", "URL", "the portal, with its path if it has one", kept: "portal.server")
  private static let user = CommandOption.value(
    "--user", "U", "the user (with --account that of its last login); without it Gatebook asks")
  private static let kind = CommandOption.choice(
    "--by", ["email", "screen-name", "user-id"], "how the portal identifies users (email)",
    kept: "by", usual: "email")
  private static let company = CommandOption.value(
    "--company-id", "N", "the portal instance (default: that of the user's first site)",
    kept: "portal.companyId", usual: "0")
  private static let group = CommandOption.value(
    "--group-id", "N", "the site to use", kept: "portal.groupId", usual: "0")
  private static let version = CommandOption.choice(
    "--portal-version", ["6.2", "7", "62", "70", "71", "72", "73"], "the portal's release (7)",
    kept: "release")
  private static let client = CommandOption.value(
    "--client-id", "I", "the client ID at the portal (OAuth 2)", kept: "clientID")
  private static let authentication = CommandOption.choice(
    "--client-auth", ["none", "basic"],
    "how the client authenticates with oauth2-redirect (basic with a secret, else none)",
    kept: "clientAuth")
  private static let consumer = CommandOption.value(
    "--consumer-key", "K", "the consumer key at the portal (OAuth 1.0a)",
    kept: "consumerKey")
  private static let scopes = CommandOption.value(
    "--scopes", "S", "the scopes to request, separated by blanks (OAuth 2; all)",
    kept: "scopes")
  private static let usualLifetime: Int64 = 900
  private static let lifetime = CommandOption.value(
    "--cookie-lifetime", "S",
    "how many seconds the portal's session is valid (\(usualLifetime))",
    kept: "lifetime", usual: String(usualLifetime))
  private static let noRefresh = CommandOption.flag(
    "--no-cookie-refresh", "do not keep the password for renewing the cookies",
    kept: "isWithoutRefresh")

  /// The options that do not go with every mode.
  private static let rules: [(option: CommandOption, choices: [LiferayMode])] = [
    (user, [.basic, .cookie, .oauth2Password]), (kind, [.basic, .cookie]),
    (client, [.oauth2Redirect, .oauth2Password]), (authentication, [.oauth2Redirect]),
    (consumer, [.oauth]), (scopes, [.oauth2Redirect, .oauth2Password]), (lifetime, [.cookie]),
    (noRefresh, [.cookie]),
    (ClientArguments.secretFile, [.oauth, .oauth2Redirect, .oauth2Password]),
    (PageArguments.redirect, [.oauth, .oauth2Redirect]),
    (PageArguments.noBrowser, [.oauth, .oauth2Redirect]),
    (PageArguments.redirectTimeout, [.oauth, .oauth2Redirect]),
  ]

  static let help = Help(
    "login liferay", "Log in to a Liferay portal.", in: .login,
    details: [
      "In the modes oauth and oauth2-redirect y" + PageArguments.story.dropFirst(),
      LoginArguments.questions(
        asksUser: true,
        "the password, the client's secret if the mode needs one and there is no file, the code with "
          + "`--redirect oob`"),
    ],
    options: [server, user, LiferayMode.choice, kind, company, group, version]
      + [client, ClientArguments.secretFile, authentication, consumer, scopes]
      + PageArguments.all + [lifetime, noRefresh] + LoginArguments.all,
    exits: LoginArguments.exits,
    examples: [
      "gatebook login liferay --server https://portal.example --user ada@example.com",
      "gatebook login liferay --server https://portal.example --mode cookie --user ada --by screen-name",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let mode = arguments[LiferayMode.choice].flatMap(LiferayMode.init(rawValue:)) ?? .basic
    try FittingOptions.check(arguments, LiferayMode.choice, mode, Self.rules)
    let portal = try portal(arguments)
    switch mode {
    case .basic, .cookie: return try await logInByPassword(portal, mode, call)
    case .oauth: return try await logInByOAuth1(portal, call)
    case .oauth2Redirect: return try await logInByRedirect(portal, call)
    case .oauth2Password: return try await logInByGrant(portal, call)
    }
  }

  @MainActor private func logInByPassword(
    _ portal: LiferayPortal, _ mode: LiferayMode, _ call: Call
  ) async throws -> ExitCode {
    let arguments = call.arguments
    let lifetime = try arguments.seconds(Self.lifetime) ?? .seconds(Self.usualLifetime)
    let given = try call.user(Self.user)
    if let given { _ = try named(given, arguments) }
    let server = portal.server.origin
    return try await call.logIn { questions in
      let user = try given ?? questions.user(at: server)
      let person = try named(user, arguments)
      let password = try questions.password(of: user, at: server)
      guard mode == .cookie else { return .liferay(portal, .basic(person, password: password)) }
      return .liferay(
        portal,
        .cookie(
          login: user, password: password, cookieExpirationTime: lifetime,
          shouldHandleCookieExpiration: !arguments.has(Self.noRefresh)))
    }
  }

  @MainActor private func logInByOAuth1(
    _ portal: LiferayPortal, _ call: Call
  ) async throws -> ExitCode {
    let key = try call.arguments.required(Self.consumer)
    let secret = try ClientArguments.secret(call.arguments)
    let server = portal.server.origin
    return try await call.logInOnPage { redirect, questions in
      .liferay(
        portal,
        .oauth(
          consumerKey: key,
          consumerSecret: try secret ?? questions.clientSecret(of: key, at: server),
          callback: redirect))
    }
  }

  @MainActor private func logInByRedirect(
    _ portal: LiferayPortal, _ call: Call
  ) async throws -> ExitCode {
    let client = try call.arguments.required(Self.client)
    let secret = try ClientArguments.secret(call.arguments)
    let way = call.arguments[Self.authentication]
    guard way != "none" || secret == nil else {
      throw UsageError(
        "`--client-auth none` uses no secret.",
        remedy: "Leave out `--client-secret-file`, or use `--client-auth basic`.")
    }
    let scopes = scopes(call.arguments)
    let server = portal.server.origin
    return try await call.logInOnPage { redirect, questions in
      let asked = way == "basic" && secret == nil
      return .liferay(
        portal,
        .oauth2Redirect(
          clientID: client, redirectURI: redirect,
          clientSecret: asked ? try questions.clientSecret(of: client, at: server) : secret,
          scopes: scopes))
    }
  }

  @MainActor private func logInByGrant(
    _ portal: LiferayPortal, _ call: Call
  ) async throws -> ExitCode {
    let client = try call.arguments.required(Self.client)
    let secret = try ClientArguments.secret(call.arguments)
    let scopes = scopes(call.arguments)
    let given = try call.user(Self.user)
    let server = portal.server.origin
    return try await call.logIn { questions in
      let user = try given ?? questions.user(at: server)
      let password = try questions.password(of: user, at: server)
      return .liferay(
        portal,
        .oauth2Password(
          user: user, password: password, clientID: client,
          clientSecret: try secret ?? questions.clientSecret(of: client, at: server),
          scopes: scopes))
    }
  }

  private func portal(_ arguments: Arguments) throws(UsageError) -> LiferayPortal {
    LiferayPortal(
      server: try URLArgument.read(try arguments.required(Self.server), "--server"),
      companyID: try arguments.integer(Self.company, in: 1...(.max)) ?? 0,
      groupID: try arguments.integer(Self.group, in: 1...(.max)) ?? 0,
      version: ["6.2", "62"].contains(arguments[Self.version]) ? .v62 : .v7)
  }

  private func scopes(_ arguments: Arguments) -> [String] {
    (arguments[Self.scopes] ?? "").split(separator: " ").map(String.init)
  }

  private func named(_ user: String, _ arguments: Arguments) throws(UsageError) -> LiferayUser {
    switch arguments[Self.kind] {
    case "screen-name": return .screenName(user)
    case "user-id":
      guard let number = Int64(user), number > 0 else {
        throw UsageError(
          "With `--by user-id` the user must be a number.",
          remedy: "Give the user's id at the portal.")
      }
      return .userID(number)
    default: return .email(user)
    }
  }

  static func repeatable(_ settings: SavedSettings) -> Facts? {
    var facts = settings.values
    let release = facts["portal"]?.object?["version"]?.integer
    let isOld = release == Int64(LiferayPortal.Version.v62.rawValue)
    var usual = LoginOAuth1Command.usualService
    usual["rememberMe"] = false
    usual["verifyIdentity"] = .bool(!isOld)
    let (life, rest) = (facts["cookieExpirationTimeUs"]?.integer ?? 0)
      .quotientAndRemainder(dividingBy: 1_000_000)
    guard let mode = LiferayMode(method: settings.method), facts["paths"] == nil, rest == 0,
      facts.agrees(with: usual)
    else { return nil }
    facts["mode"] = .text(mode.rawValue)
    facts["release"] = isOld ? "6.2" : nil
    facts["lifetime"] = mode == .cookie ? .integer(life) : nil
    facts["isWithoutRefresh"] = .bool(facts["shouldHandleCookieExpiration"] == false)
    let asksSecret = facts["hasSecret"] == true && ClientArguments.secretFile(settings) == nil
    facts["clientAuth"] = mode == .oauth2Redirect && asksSecret ? "basic" : nil
    return facts
  }
}
