internal import Gatebook

/// `gatebook login http`.
struct LoginHTTPCommand: Command {
  private static let url = CommandOption.value(
    "--url", "URL", "a URL that must refuse without credentials and answer 2xx with them")
  private static let user = CommandOption.value(
    "--user", "U", "the user name (with --account that of its last login)")

  static let help = Help(
    "login http", "Log in with HTTP authentication.", in: .login,
    details: [
      "The URL proves the login: one that answers without credentials is refused as unprovable.",
      LoginArguments.questions(),
    ],
    options: [url, user] + LoginArguments.all, exits: LoginArguments.exits,
    examples: [
      "gatebook login http --url https://files.example/private/ --user ada --label files",
      "gatebook login http --url https://files.example/private/ --user ada --save-credentials",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let url = try URLArgument.read(try call.arguments.required(Self.url), "--url")
    let user = try call.requiredUser(Self.user)
    return try await call.logIn { questions in
      .http(
        url: url, user: user, password: try questions.password(of: user, at: url.origin))
    }
  }
}

extension LoginHTTPCommand: RepeatableLogin {
  static func words(_ settings: SavedSettings) -> [String]? {
    settings.values["url"]?.text.map { url.words($0) }
  }
}
