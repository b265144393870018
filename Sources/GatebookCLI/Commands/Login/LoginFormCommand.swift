internal import Gatebook

/// `gatebook login form`.
struct LoginFormCommand: Command {
  private static let url = CommandOption.value("--url", "LOGIN-URL", "where the form is posted")
  private static let user = CommandOption.value("--user", "U", "the user name")
  private static let check = CommandOption.value(
    "--check", "URL", "must refuse without cookies and answer 2xx after the login")
  private static let userField = CommandOption.value(
    "--user-field", "F", "the form's field for the name (httpd_username)")
  private static let passwordField = CommandOption.value(
    "--password-field", "F", "the form's field for the password (httpd_password)")

  static let help = Help(
    "login form", "Log in with a form and cookies.", in: .login,
    details: [
      "The login page is where the check URL redirects somebody without cookies. The check URL is "
        + "the proof: it must refuse before the login and answer 2xx after it.",
      LoginArguments.questions(),
    ],
    options: [url, user, check, userField, passwordField] + LoginArguments.all,
    exits: LoginArguments.exits,
    example: "gatebook login form --url https://shop.example/dologin --user ada "
      + "--check https://shop.example/account", account: .login)

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let url = try URLArgument.read(try arguments.required(Self.url), "--url")
    let check = try URLArgument.read(try arguments.required(Self.check), "--check")
    let user = try arguments.required(Self.user)
    return try await call.logIn {
      .form(
        loginURL: url, checkURL: check, user: user,
        password: try call.answers.secret("Password of \(user)"),
        userField: arguments[Self.userField] ?? "httpd_username",
        passwordField: arguments[Self.passwordField] ?? "httpd_password",
        mayLogInAgain: LoginArguments.savesCredentials(arguments))
    }
  }
}
