internal import Gatebook

/// `gatebook login http`.
struct LoginHTTPCommand: RepeatableLogin {
  private static let url = CommandOption.value(
    "--url", "URL", "a URL that must refuse without credentials and answer 2xx with them",
    kept: "url")

  static let help = Help(
    "login http", "Log in with HTTP authentication.", in: .login,
    details: [
      "The URL proves the login: one that answers without credentials is refused as unprovable.",
      LoginArguments.questions(),
    ],
    options: [url, LoginArguments.user, ServerPageArguments.noBrowser] + LoginArguments.all,
    examples: [
      "gatebook login http --url https://files.example/private/ --user ada --label files",
      "gatebook login http --url https://files.example/private/ --user ada --save-credentials",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let url = try call.arguments.url(Self.url)
    let user = try call.askedUser(LoginArguments.user)
    return try await call.logIn { questions in
      let (user, password) = try questions.person(user, at: url.origin)
      return .http(url: url, user: user, password: password)
    }
  }
}
