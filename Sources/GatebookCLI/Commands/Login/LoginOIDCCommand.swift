internal import Gatebook

/// `gatebook login oidc`.
struct LoginOIDCCommand: Command {
  private static let issuer = CommandOption.value(
    "--issuer", "URL", "the server, as it writes its own name")
  private static let user = CommandOption.value(
    "--user", "U", "who logs in by password; else the account's name where the server names nobody")
  private static let check = CommandOption.value(
    "--check", "URL",
    "where requests go; the proof where the server names nobody: must refuse without a token and "
      + "answer 2xx with one")
  private static let authorize = CommandOption.value(
    "--authorize-url", "U", "the page for the login, in the place of the one that the server names")
  private static let token = CommandOption.value(
    "--token-url", "U", "where tokens come from, in the place of the one that the server names")
  private static let revoke = CommandOption.value(
    "--revoke-url", "U", "where a logout takes the tokens back, which some servers do not name")
  private static let device = CommandOption.value(
    "--device-url", "U", "where codes for another device come from, which some do not name")
  private static let algorithms = CommandOption.values(
    "--id-token-alg", "ALG",
    "how the server signs ID tokens (RS256): RS, PS, ES with 256, 384 or 512, or EdDSA; may be given "
      + "again")

  static let help = Help(
    "login oidc", "Log in with OpenID Connect.", in: .login,
    details: ["The server describes itself: see `--issuer`. It names the user."]
      + GrantRequest.story,
    options: [issuer] + GrantRequest.application + [user, check, authorize, token, revoke, device]
      + [algorithms]
      + PageArguments.all + LoginArguments.all,
    exits: LoginArguments.exits,
    example: "gatebook login oidc --issuer https://id.example --client-id app --scopes 'profile "
      + "email'")

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let issuer = try URLArgument.read(try arguments.required(Self.issuer), Self.issuer.name)
    let check = try URLArgument.optional(arguments, Self.check)
    let request = try GrantRequest(arguments, user: Self.user)
    var server = OAuth2Server()
    server.authorisationURL = try URLArgument.optional(arguments, Self.authorize)
    server.tokenURL = try URLArgument.optional(arguments, Self.token)
    server.revocationURL = try URLArgument.optional(arguments, Self.revoke)
    server.deviceAuthorisationURL = try URLArgument.optional(arguments, Self.device)
    // Who logs in by password is named by that flow.
    let name = request.flow == .password ? nil : arguments[Self.user]
    let algorithms = Set(arguments.all(Self.algorithms))
    return try await request.logIn(call) { [server] application, flow in
      var application = application
      if !algorithms.isEmpty { application.tokenAlgorithms = algorithms }
      return .openID(
        issuer: issuer, server: server, application: application, flow: flow, checkURL: check,
        user: name)
    }
  }
}
