internal import Gatebook

/// `gatebook login oidc`.
struct LoginOIDCCommand: RepeatableLogin {
  private static let issuer = CommandOption.value(
    "--issuer", "URL", "the server's issuer URL, exactly as the server writes it",
    kept: "issuer")
  private static let check = CommandOption.value(
    "--check", "URL",
    "the URL for requests; it proves the login if the server does not name the user: it must refuse "
      + "without a token and answer 2xx with one",
    kept: "checkURL")
  private static let algorithms = CommandOption.values(
    "--id-token-alg", "ALG",
    "how the server signs ID tokens (RS256): RS, PS, ES with 256, 384 or 512, or EdDSA; may be given "
      + "again",
    kept: "algorithms")
  private static let audiences = CommandOption.values(
    "--trust-audience", "AUD", "another audience that ID tokens may name; may be given again",
    kept: "audiences")

  static let help = Help(
    "login oidc", "Log in with OpenID Connect.", in: .login,
    details: [
      "Gatebook reads the endpoints from the metadata of `--issuer`. The server names the user. Options "
        + "such as `--token-url` add to that metadata or override it."
    ]
      + GrantRequest.story,
    options: [issuer] + GrantRequest.application + [check] + EndpointArguments.all
      + EndpointArguments.openID + [algorithms, audiences]
      + ServerPageArguments.all + LoginArguments.all,
    examples: [
      "gatebook login oidc --issuer https://id.example --client-id app --scopes 'profile "
        + "email'", "gatebook login oidc --issuer https://id.example --client-id app --flow device",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let issuer = try URLArgument.issuer(try arguments.required(Self.issuer), Self.issuer.name)
    let check = try arguments.optionalURL(Self.check)
    let request = try GrantRequest(call)
    let server = try EndpointArguments.server(arguments)
    let algorithms = Set(arguments.all(Self.algorithms))
    let audiences = Set(arguments.all(Self.audiences))
    let home = server.tokenURL?.origin ?? issuer.url.origin
    let instead = BrowserlessLogin(Self.help, arguments, issuer: issuer)
    return try await request.logIn(call, at: home, instead: instead) { application, flow in
      var application = application
      application.trustedAudiences = audiences
      if !algorithms.isEmpty { application.tokenAlgorithms = algorithms }
      return .openID(
        issuer: issuer, server: server, application: application, flow: flow, checkURL: check,
        user: request.accountName)
    }
  }

  static func repeatable(_ settings: SavedSettings) -> Facts? {
    guard var facts = GrantRequest.repeatable(settings, by: help.options) else { return nil }
    let algorithms = Set((facts["algorithms"]?.list ?? []).compactMap(\.text))
    let isUsual = algorithms == OAuth2Application(clientID: "").tokenAlgorithms
    if isUsual { facts["algorithms"] = nil }
    return facts
  }
}
