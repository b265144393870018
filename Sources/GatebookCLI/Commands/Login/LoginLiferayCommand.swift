internal import Gatebook
internal import GatebookLoginPage

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
  private static let rules: [(option: CommandOption, choices: [LiferayMode])] =
    [
      (user, [.basic, .cookie, .oauth2Password]), (kind, [.basic, .cookie]),
      (client, [.oauth2Redirect, .oauth2Password]), (authentication, [.oauth2Redirect]),
      (consumer, [.oauth]), (scopes, [.oauth2Redirect, .oauth2Password]), (lifetime, [.cookie]),
      (noRefresh, [.cookie]),
      (ClientArguments.secretFile, [.oauth, .oauth2Redirect, .oauth2Password]),
    ]
    + ServerPageArguments.all.map { ($0, [.oauth, .oauth2Redirect]) }
    + LoginPageArguments.all.map { ($0, [.basic, .cookie, .oauth2Password]) }

  static let help = Help(
    "login liferay", "Log in to a Liferay portal.", in: .login,
    details: [
      "In the modes oauth and oauth2-redirect y" + ServerPageArguments.story.dropFirst(),
      LoginArguments.questions(
        asksUser: true,
        "the password, the client's secret if the mode needs one and there is no file, the code with "
          + "`--redirect oob`"),
    ],
    options: [server, user, LiferayMode.choice, kind, company, group, version]
      + [client, ClientArguments.secretFile, authentication, consumer, scopes]
      + ServerPageArguments.all + [lifetime, noRefresh] + LoginArguments.all,
    examples: [
      "gatebook login liferay --server https://portal.example --user ada@example.com",
      "gatebook login liferay --server https://portal.example --mode cookie --user ada --by screen-name",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let mode: LiferayMode = arguments.choice(LiferayMode.choice) ?? .basic
    try FittingOptions.check(
      arguments, LiferayMode.choice, mode, LoginPageArguments.fitting(Self.rules, arguments))
    let portal = try portal(arguments)
    let secret = try ClientArguments.secret(arguments)
    guard arguments[Self.authentication] != "none" || secret == nil else {
      throw ClientArguments.uselessSecret
    }
    let given = mode.opensPage ? nil : try call.user(Self.user)
    return try await call.logIn(onServerPage: mode.opensPage) { questions in
      .liferay(
        portal, try login(mode, at: portal.server.origin, arguments, given, secret, questions))
    }
  }

  /// The login of a mode, by the user and the client's secret that were given.
  private func login(
    _ mode: LiferayMode, at server: Origin, _ arguments: Arguments, _ user: String?,
    _ secret: Secret?, _ questions: LoginQuestions
  ) throws -> LiferayLogin {
    switch mode {
    case .basic:
      let (user, password) = try questions.person(user, at: server, as: field(arguments))
      return .basic(try named(user, arguments), password: password)
    case .cookie:
      let (user, password) = try questions.person(user, at: server, as: loginField(arguments))
      _ = try named(user, arguments)
      return .cookie(
        login: user, password: password,
        cookieExpirationTime: try arguments.seconds(Self.lifetime) ?? .seconds(Self.usualLifetime),
        shouldHandleCookieExpiration: !arguments.has(Self.noRefresh))
    case .oauth:
      let key = try arguments.required(Self.consumer)
      return .oauth(
        consumerKey: key,
        consumerSecret: try questions.clientSecret(secret, of: key, at: server),
        callback: questions.redirect)
    case .oauth2Redirect:
      let client = try arguments.required(Self.client)
      let showsSecret = secret != nil || arguments[Self.authentication] == "basic"
      return .oauth2Redirect(
        clientID: client, redirectURI: questions.redirect,
        clientSecret: showsSecret
          ? try questions.clientSecret(secret, of: client, at: server) : nil,
        scopes: GrantRequest.words(arguments[Self.scopes]))
    case .oauth2Password:
      let client = try arguments.required(Self.client)
      let (user, password) = try questions.person(user, at: server)
      return .oauth2Password(
        user: user, password: password, clientID: client,
        clientSecret: try questions.clientSecret(secret, of: client, at: server),
        scopes: GrantRequest.words(arguments[Self.scopes]))
    }
  }

  private func portal(_ arguments: Arguments) throws(UsageError) -> LiferayPortal {
    LiferayPortal(
      server: try arguments.url(Self.server),
      companyID: try arguments.integer(Self.company, in: 1...(.max)) ?? 0,
      groupID: try arguments.integer(Self.group, in: 1...(.max)) ?? 0,
      version: ["6.2", "62"].contains(arguments[Self.version]) ? .v62 : .v7)
  }

  /// The field of a page for the user.
  private func field(_ arguments: Arguments) -> (String) -> LoginField {
    switch arguments[Self.kind] {
    case "screen-name": { .screenName($0) }
    case "user-id": { .userID($0) }
    default: { .email($0) }
    }
  }

  /// The field of a page for the login of a cookie session, which is whatever the portal takes.
  private func loginField(_ arguments: Arguments) -> (String) -> LoginField {
    guard arguments[Self.kind] == nil else { return field(arguments) }
    return { user in user.isEmpty || user.contains("@") ? .email(user) : .user(user) }
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

/// How `login liferay` logs in.
///
/// Source: Login Screenlet, `loginMode`.
enum LiferayMode: String, CaseIterable, Sendable {
  case basic
  case cookie
  case oauth
  case oauth2Redirect = "oauth2-redirect"
  case oauth2Password = "oauth2-password"

  /// Whether the person logs in on the portal's page.
  var opensPage: Bool { self == .oauth || self == .oauth2Redirect }

  /// The option that chooses one.
  static let choice = CommandOption.choice(
    "--mode", allCases.map(\.rawValue),
    "HTTP Basic on every request (basic), the portal's own form, OAuth 1.0a or OAuth 2 on the "
      + "portal's page, or OAuth 2 by password", ignoresCase: true, kept: "mode", usual: "basic")

  /// The mode of a login method, as the log calls it.
  init?(method: String) {
    let name = method.dropFirst("liferay-".count)
    self.init(rawValue: name == "oauth1" ? Self.oauth.rawValue : String(name))
  }
}
