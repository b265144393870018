internal import Gatebook

/// `gatebook login oauth2`.
struct LoginOAuth2Command: RepeatableLogin {
  private static let check = CommandOption.value(
    "--check", "URL",
    "a URL that proves the login: it must refuse without a token and answer 2xx with one; needed unless "
      + "something else proves it",
    kept: "checkURL")

  static let help = Help(
    "login oauth2", "Log in with OAuth 2.", in: .login,
    details: [
      "For servers without metadata; see also `gatebook help login oidc`. The login is proven by "
        + "`--userinfo-url`, or else by the check URL, or else by `--introspect-url`. An application's own "
        + "tokens need no proof."
    ] + GrantRequest.story,
    options: EndpointArguments.all + GrantRequest.application + [check]
      + ServerPageArguments.all + LoginArguments.all,
    examples: [
      "gatebook login oauth2 --authorize-url https://id.example/authorize --token-url "
        + "https://id.example/token --client-id app --check https://api.example/me --user ada",
      "gatebook login oauth2 --token-url https://id.example/token --client-id app --flow client-credentials",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let request = try GrantRequest(call)
    let token = try arguments.url(EndpointArguments.token)
    let server = try EndpointArguments.server(arguments)
    switch request.flow {
    case .code: _ = try arguments.required(EndpointArguments.authorize)
    case .device: _ = try arguments.required(EndpointArguments.device)
    case .password, .clientCredentials: break
    }
    let check = try arguments.optionalURL(Self.check)
    let hasProof =
      request.flow == .clientCredentials || server.userInfoURL != nil
      || server.introspectionURL != nil
    if !hasProof { _ = try arguments.required(Self.check) }
    let isNamed = server.userInfoURL != nil || check == nil
    switch request.flow {
    // Under the client's id, all who log in with this client would be one account.
    case .code, .device: if !isNamed { try request.requireName(call) }
    case .password, .clientCredentials: break
    }
    let instead = BrowserlessLogin(Self.help, arguments)
    return try await request.logIn(call, at: token.origin, instead: instead) { application, flow in
      .oauth2(
        tokenURL: token, server, application: application, flow: flow, checkURL: check,
        user: request.accountName)
    }
  }

  static func repeatable(_ settings: SavedSettings) -> Facts? {
    GrantRequest.repeatable(settings, by: help.options)
  }
}
