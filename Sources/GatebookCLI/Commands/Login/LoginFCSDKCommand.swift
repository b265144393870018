internal import Gatebook
internal import GatebookLoginPage

/// `gatebook login fcsdk`.
struct LoginFCSDKCommand: RepeatableLogin {
  private static let server = CommandOption.value(
    "--server", "URL", "the web application's server: scheme, host and port", kept: "origin")
  private static let path = CommandOption.value(
    "--path", "P", "the path of its login (\(FCSDKGateway.samplePath))",
    kept: "gateway.path", usual: FCSDKGateway.samplePath)
  /// The field that goes along with each request.
  static let header = CommandOption.value(
    "--header", "FIELD|@FILE",
    "a header field for each request, `Name: value`; a secret one in a file of its own, of mode 0600",
    kept: "header")

  private static let noCookies = CommandOption.flag(
    "--no-cookies", "keep and send no cookies", kept: "isWithoutCookies")

  static let help = Help(
    "login fcsdk", "Log in to the web application before a Fusion client gateway.", in: .login,
    details: [LoginArguments.questions()],
    options: [server, path, LoginArguments.user, header, noCookies, ServerPageArguments.noBrowser]
      + LoginArguments.all,
    examples: [
      "gatebook login fcsdk --server https://gateway.example:8443 --user ada",
      "gatebook login fcsdk --server https://gateway.example:8443 --user ada --save-credentials",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    try LoginPageArguments.check(arguments)
    let server = call.hasLoginPage ? try arguments.optionalURL(Self.server) : nil
    if call.hasLoginPage, server == nil {
      for option in [Self.header, Self.noCookies] + TrustArguments.all where arguments.has(option) {
        throw UsageError(
          "`\(option.name)` needs the server that it is for.", remedy: "Add `--server URL`.")
      }
      return try await logIn(at: nil, call)
    }
    let gateway = try FCSDKGateway(
      at: try server ?? arguments.url(Self.server),
      path: arguments[Self.path] ?? FCSDKGateway.samplePath,
      useCookies: !arguments.has(Self.noCookies),
      field: try arguments[Self.header].map(Self.field))
    if call.hasLoginPage { return try await logIn(at: gateway, call) }
    let user = try call.requiredUser(LoginArguments.user)
    return try await call.logIn { questions in
      .fcsdk(
        gateway, user: user,
        password: try questions.password(of: user, at: gateway.loginURL.origin))
    }
  }

  /// Logs in on Gatebook's page, where the gateway's settings are fields too.
  @MainActor private func logIn(
    at gateway: FCSDKGateway?, _ call: Call
  ) async throws -> ExitCode {
    let settings = try call.accountAsked()?.settings
    let form = LoginForm.fcsdk(
      gateway, path: call.arguments[Self.path] ?? FCSDKGateway.samplePath,
      user: try call.user(LoginArguments.user) ?? "",
      acceptsCertificates: settings?.trust.exceptions.isEmpty == false)
    // Keys are accepted on the page; those that are named belong to the server that is named.
    let options = try LoginArguments.options(
      call.arguments, at: gateway?.loginURL.origin ?? Origin(scheme: "https", host: "", port: 443))
    return try await call.logIn(by: form, options)
  }

  private static func field(_ text: String) throws -> HTTPField {
    guard text.hasPrefix("@") else { return try HeaderField.read(text, "--header") }
    let secret = try SecretFile.read(String(text.dropFirst()), header)
    return try HeaderField.read(
      secret.withBytes { String(decoding: $0, as: UTF8.self) }, "--header")
  }

  static func repeatable(_ settings: SavedSettings) -> Facts? {
    guard let gateway = settings.gateway else { return nil }
    // The field itself is kept nowhere: only the path of a file says it again.
    let file = settings.options.notes[LoginNotes.name(of: header)]
    guard settings.values["hasField"] == nil || file != nil else { return nil }
    var facts = settings.values
    facts["isWithoutCookies"] = .bool(!gateway.useCookies)
    facts["origin"] = .text(gateway.loginURL.origin.description)
    facts["header"] = file.map { .text("@\($0)") }
    return facts
  }
}
