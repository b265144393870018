internal import Gatebook

/// `gatebook login liferay`.
struct LoginLiferayCommand: Command {
  private static let server = CommandOption.value(
    "--server", "URL", "the portal, with its path if it has one")
  private static let user = CommandOption.value("--user", "U", "the user; else asked for")
  private static let mode = CommandOption.choice(
    "--mode", ["basic", "cookie"], "HTTP Basic on every request (basic), or the portal's own form")
  private static let kind = CommandOption.choice(
    "--by", ["email", "screen-name", "user-id"], "how the portal names users (email)")
  private static let company = CommandOption.value(
    "--company-id", "N", "the portal instance; else learnt from the user's first site")
  private static let group = CommandOption.value("--group-id", "N", "the site to work with")
  private static let version = CommandOption.choice(
    "--portal-version", ["6.2", "7"], "the portal's release (7)")
  private static let lifetime = CommandOption.value(
    "--cookie-lifetime", "S", "how many seconds the portal's session lives (900)")
  private static let noRefresh = CommandOption.flag(
    "--no-cookie-refresh", "do not keep the password to renew the cookies with")

  static let help = Help(
    "login liferay", "Log in to a Liferay portal.", in: .login,
    details: [LoginArguments.questions(asksUser: true)],
    options: [server, user, mode, kind, company, group, version, lifetime, noRefresh]
      + LoginArguments.all,
    exits: LoginArguments.exits,
    example: "gatebook login liferay --server https://portal.example --user ada@example.com")

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let portal = try portal(arguments)
    let isCookie = arguments[Self.mode] == "cookie"
    guard isCookie || (arguments[Self.lifetime] == nil && !arguments.has(Self.noRefresh)) else {
      throw UsageError(
        "`--cookie-lifetime` and `--no-cookie-refresh` go with `--mode cookie`.",
        remedy: "Add `--mode cookie`, or leave them out.")
    }
    let lifetime = try arguments.seconds(Self.lifetime) ?? .seconds(900)
    if let user = arguments[Self.user] { _ = try named(user, arguments) }
    return try await call.logIn {
      let user = try arguments[Self.user] ?? call.answers.text("User")
      let person = try named(user, arguments)
      let password = try call.answers.secret("Password of \(user)")
      guard isCookie else { return .liferay(portal, .basic(person, password: password)) }
      return .liferay(
        portal,
        .cookie(
          login: user, password: password, cookieExpirationTime: lifetime,
          shouldHandleCookieExpiration: !arguments.has(Self.noRefresh)))
    }
  }

  private func portal(_ arguments: Arguments) throws(UsageError) -> LiferayPortal {
    LiferayPortal(
      server: try URLArgument.read(try arguments.required(Self.server), "--server"),
      companyID: try arguments.integer(Self.company, in: 1...(.max)) ?? 0,
      groupID: try arguments.integer(Self.group, in: 1...(.max)) ?? 0,
      version: arguments[Self.version] == "6.2" ? .v62 : .v7)
  }

  private func named(_ user: String, _ arguments: Arguments) throws(UsageError) -> LiferayUser {
    switch arguments[Self.kind] {
    case "screen-name": return .screenName(user)
    case "user-id":
      guard let number = Int64(user), number > 0 else {
        throw UsageError(
          "With `--by user-id` the user is a number.", remedy: "Give the portal's id of the user.")
      }
      return .userID(number)
    default: return .email(user)
    }
  }
}
