internal import Gatebook

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

  static let help = Help(
    "login fcsdk", "Log in to the web application before a Fusion client gateway.", in: .login,
    details: [LoginArguments.questions()],
    options: [server, path, LoginArguments.user, header] + LoginArguments.all,
    examples: [
      "gatebook login fcsdk --server https://gateway.example:8443 --user ada",
      "gatebook login fcsdk --server https://gateway.example:8443 --user ada --save-credentials",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let server = try arguments.url(Self.server)
    let user = try call.requiredUser(LoginArguments.user)
    let gateway = try FCSDKGateway(
      at: server, path: arguments[Self.path] ?? FCSDKGateway.samplePath,
      field: try arguments[Self.header].map(Self.field))
    return try await call.logIn { questions in
      .fcsdk(
        gateway, user: user, password: try questions.password(of: user, at: server.origin))
    }
  }

  private static func field(_ text: String) throws -> HTTPField {
    guard text.hasPrefix("@") else { return try HeaderField.read(text, "--header") }
    let secret = try SecretFile.read(String(text.dropFirst()), header)
    return try HeaderField.read(
      secret.withBytes { String(decoding: $0, as: UTF8.self) }, "--header")
  }

  static func repeatable(_ settings: SavedSettings) -> Facts? {
    guard let gateway = settings.gateway, gateway.useCookies else { return nil }
    // The field itself is kept nowhere: only the path of a file says it again.
    let file = settings.options.notes[LoginNotes.name(of: header)]
    guard settings.values["hasField"] == nil || file != nil else { return nil }
    var facts = settings.values
    facts["origin"] = .text(gateway.loginURL.origin.description)
    facts["header"] = file.map { .text("@\($0)") }
    return facts
  }
}
