internal import Gatebook

/// `gatebook login form`.
struct LoginFormCommand: RepeatableLogin {
  private static let url = CommandOption.value(
    "--url", "LOGIN-URL", "the URL that the form is sent to", kept: "url")
  private static let check = CommandOption.value(
    "--check", "URL",
    "a URL that proves the login: it must refuse without cookies and answer 2xx after the login",
    kept: "checkURL")
  private static let usualUserField = "httpd_username"
  private static let usualPasswordField = "httpd_password"
  private static let userField = CommandOption.value(
    "--user-field", "F", "the form's field for the user name (\(usualUserField))",
    kept: "userField", usual: usualUserField)
  private static let passwordField = CommandOption.value(
    "--password-field", "F", "the form's field for the password (\(usualPasswordField))",
    kept: "passwordField", usual: usualPasswordField)

  static let help = Help(
    "login form", "Log in with a form and cookies.", in: .login,
    details: [
      "Gatebook finds the login page by the check URL, which redirects there before the login. The "
        + "check URL also proves the login: it must refuse before it and answer 2xx after it.",
      LoginArguments.questions(),
    ],
    options: [
      url, LoginArguments.user, check, userField, passwordField, ServerPageArguments.noBrowser,
    ] + LoginArguments.all,
    examples: [
      "gatebook login form --url https://shop.example/dologin --user ada "
        + "--check https://shop.example/account",
      "gatebook login form --url https://shop.example/login --check https://shop.example/me --user ada --user-field email",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let url = try arguments.url(Self.url)
    let check = try arguments.url(Self.check)
    let user = try call.askedUser(LoginArguments.user)
    return try await call.logIn { questions in
      let (user, password) = try questions.person(user, at: url.origin)
      return .form(
        loginURL: url, checkURL: check, user: user, password: password,
        userField: arguments[Self.userField] ?? Self.usualUserField,
        passwordField: arguments[Self.passwordField] ?? Self.usualPasswordField,
        mayLogInAgain: questions.savesCredentials(arguments))
    }
  }
}
