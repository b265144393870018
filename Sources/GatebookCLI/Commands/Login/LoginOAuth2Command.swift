internal import Gatebook

/// `gatebook login oauth2`.
struct LoginOAuth2Command: Command {
  private static let authorize = CommandOption.value(
    "--authorize-url", "U", "the page on which the person allows the application (`--flow code`)")
  private static let token = CommandOption.value("--token-url", "U", "where tokens come from")
  private static let revoke = CommandOption.value(
    "--revoke-url", "U", "where a logout takes the tokens back")
  private static let device = CommandOption.value(
    "--device-url", "U", "where codes for another device come from (`--flow device`)")
  private static let user = CommandOption.value(
    "--user", "U",
    "who logs in by password; else the name to keep the account under (the client id)"
  )
  private static let check = CommandOption.value(
    "--check", "URL",
    "must refuse without a token and answer 2xx with one; the application itself needs none")

  static let help = Help(
    "login oauth2", "Log in with OAuth 2.", in: .login,
    details: [
      "For servers that do not describe themselves; see also `gatebook help login oidc`. The check "
        + "URL is the proof: it must refuse before the login and answer 2xx after it."
    ] + GrantRequest.story,
    options: [authorize, token, revoke, device] + GrantRequest.application + [user, check]
      + PageArguments.all + LoginArguments.all,
    exits: LoginArguments.exits,
    example: "gatebook login oauth2 --authorize-url https://id.example/authorize --token-url "
      + "https://id.example/token --client-id app --check https://api.example/me")

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let request = try GrantRequest(arguments, user: Self.user)
    let token = try URLArgument.read(try arguments.required(Self.token), Self.token.name)
    var server = OAuth2Server()
    server.authorisationURL = try URLArgument.optional(arguments, Self.authorize)
    server.revocationURL = try URLArgument.optional(arguments, Self.revoke)
    server.deviceAuthorisationURL = try URLArgument.optional(arguments, Self.device)
    switch request.flow {
    case .code: _ = try arguments.required(Self.authorize)
    case .device: _ = try arguments.required(Self.device)
    case .password, .clientCredentials: break
    }
    let check = try URLArgument.optional(arguments, Self.check)
    if request.flow != .clientCredentials { _ = try arguments.required(Self.check) }
    return try await request.logIn(call) { [server] application, flow in
      // Who logs in by password is named by that flow.
      let name = request.flow == .password ? nil : arguments[Self.user] ?? request.clientID
      return .oauth2(
        tokenURL: token, server, application: application, flow: flow, checkURL: check, user: name)
    }
  }
}
