internal import Gatebook

/// `gatebook login http`.
struct LoginHTTPCommand: Command {
  private static let url = CommandOption.value(
    "--url", "URL", "must refuse without credentials and answer 2xx with them")
  private static let user = CommandOption.value("--user", "U", "the user name")

  static let help = Help(
    "login http", "Log in with HTTP authentication.", in: .login,
    details: [
      "The URL is the proof: one that anybody may read is refused as unprovable.",
      LoginArguments.questions(),
    ],
    options: [url, user] + LoginArguments.all, exits: LoginArguments.exits,
    example: "gatebook login http --url https://files.example/private/ --user ada --label files",
    account: .login)

  func run(_ call: Call) async throws -> ExitCode {
    let url = try URLArgument.read(try call.arguments.required(Self.url), "--url")
    let user = try call.arguments.required(Self.user)
    return try await call.logIn {
      .http(url: url, user: user, password: try call.answers.secret("Password of \(user)"))
    }
  }
}
