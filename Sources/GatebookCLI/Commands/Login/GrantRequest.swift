internal import Gatebook
internal import GatebookSystem

/// What the options that `login oidc` and `login oauth2` share ask for, read before the book is
/// opened.
struct GrantRequest: Sendable {
  /// The application's id.
  static let client = CommandOption.value(
    "--client-id", "I", "the client ID at the server", kept: "clientID")
  /// What the session may do.
  static let scopes = CommandOption.value(
    "--scopes", "S", "the scopes to request, separated by blanks", kept: "scopes")
  private static let userOption = CommandOption.value(
    "--user", "U",
    "the user who logs in with a password; otherwise the account's name, if the server does not name "
      + "the user")
  private static let bound = CommandOption.flag(
    "--dpop",
    "bind the tokens to a key of this account (DPoP), if the server supports it",
    kept: "bindsTokens")
  private static let demandsBound = CommandOption.flag(
    "--require-dpop", "like `--dpop`, but reject tokens that the server did not bind",
    kept: "demandsBound")

  /// Who the application is, and how it comes by tokens.
  static let application = [
    client, ClientArguments.secretFile, ClientProof.choice, ClientProof.keyID,
    ClientProof.audience, GrantFlow.choice, scopes, bound, demandsBound, userOption,
  ]

  /// The options that do not go with every flow.
  private static let rules: [(option: CommandOption, choices: [GrantFlow])] =
    ServerPageArguments.all.map { ($0, [.code]) } + [(userOption, [.code, .device, .password])]

  /// What happens, as paragraphs for the help.
  static let story = [
    "With `--flow code` y" + ServerPageArguments.story.dropFirst(),
    "With `--flow device` the lines `open URL` and `enter CODE` on standard error say what to do on "
      + "another device. The login waits until that is done. With `--flow client-credentials` the account "
      + "belongs to the application itself, not to a person.",
    LoginArguments.questions(
      "with `--flow password` the user if there is no --user, and the password; the client's secret "
        + "if it needs one and there is no file, the code with `--redirect oob`"),
  ]

  /// How the login comes by tokens.
  let flow: GrantFlow
  /// The application, before it shows who it is.
  private let application: OAuth2Application
  private let proof: ClientProof
  private let user: String?

  /// Reads the options.
  ///
  /// - Parameter call: What was given.
  /// - Throws: `UsageError` for what does not fit, and what reading the client's secret or the
  ///   account's name throws.
  @MainActor init(_ call: Call) throws {
    let arguments = call.arguments
    user = try call.user(Self.userOption)
    flow = arguments.choice(GrantFlow.choice) ?? .code
    try FittingOptions.check(
      arguments, GrantFlow.choice, flow, LoginPageArguments.fitting(Self.rules, arguments))
    var application = OAuth2Application(
      clientID: try arguments.required(Self.client), scopes: Self.words(arguments[Self.scopes]))
    application.demandsBoundTokens = arguments.has(Self.demandsBound)
    application.bindsTokens = application.demandsBoundTokens || arguments.has(Self.bound)
    self.application = application
    proof = try ClientProof(arguments, isDemanded: flow == .clientCredentials)
  }

  /// The account's name, where the server does not name the user; who logs in by password is named
  /// by that flow.
  var accountName: String? { flow == .password ? nil : user }

  /// The account's name, where nothing else can name it.
  @MainActor func requireName(_ call: Call) throws {
    _ = try call.requiredUser(Self.userOption)
  }

  /// Logs in and prints the account.
  ///
  /// - Parameters:
  ///   - call: Where the command runs.
  ///   - server: Where secrets go, as questions for them name it.
  ///   - instead: How the login is made without a page.
  ///   - method: Makes the method for an application and its flow.
  /// - Returns: How the program ends.
  /// - Throws: What asking or the login throws.
  @MainActor func logIn(
    _ call: Call, at server: Origin, instead: BrowserlessLogin,
    _ method: @escaping @Sendable (OAuth2Application, OAuth2Flow) -> LoginMethod
  ) async throws -> ExitCode {
    let asked = Locked<OAuth2Flow?>(nil)
    return try await call.logIn(
      onServerPage: flow == .code, instead: instead,
      browser: flow == .device ? call.codeScreen : nil
    ) { questions in
      let flow = try grant(server, questions)
      asked.withLock { $0 = flow }
      var application = application
      application.authentication = try proof.authentication(
        of: application.clientID, at: server, questions)
      return method(application, flow)
    } after: { error in
      guard let asked = asked.withLock({ $0 }) else { return nil }
      return try application(after: error, server, call.answers).map { method($0, asked) }
    }
  }

  private func grant(
    _ server: Origin, _ questions: LoginQuestions
  ) throws(GatebookError) -> OAuth2Flow {
    switch flow {
    case .code: return .code(redirectURI: Self.uri(questions.redirect))
    case .device: return .device
    case .password:
      let (user, password) = try questions.person(user, at: server)
      return .password(user: user, password)
    case .clientCredentials: return .clientCredentials
    }
  }

  /// The application with its secret, where a server has turned out to want one that no option has
  /// named: many take an application without any though they do not list that, so none is asked for
  /// before.
  ///
  /// - Returns: `nil` for any other failure, and where nobody gives a secret.
  @MainActor private func application(
    after error: GatebookError, _ server: Origin, _ answers: Answers
  ) throws(GatebookError) -> OAuth2Application? {
    guard proof.isAssumed, error.code == .configurationInvalid,
      error.serverCode == "invalid_client"
    else { return nil }
    var application = application
    do throws(GatebookError) {
      application.authentication = .secret(
        try LoginQuestions(answers).clientSecret(of: application.clientID, at: server))
    } catch {
      guard error.code != .cancelled else { throw error }
      return nil
    }
    return application
  }

  /// The words of an option that takes several.
  static func words(_ text: String?) -> [String] {
    (text ?? "").split(separator: " ").map(String.init)
  }

  /// RFC 6749 wants an absolute URI: servers that show a code know `oob` by this one.
  static func uri(_ redirect: String) -> String {
    redirect == AwaitedRedirect.outOfBand ? "urn:ietf:wg:oauth:2.0:oob" : redirect
  }

  /// What a login by OAuth 2 was asked with, as the options say it.
  ///
  /// - Parameters:
  ///   - settings: What it was asked with.
  ///   - options: Those that the command has.
  /// - Returns: Facts by the names of the options; `nil` where an app has set something that no
  ///   option says, and for a private key whose file is not known.
  static func repeatable(_ settings: SavedSettings, by options: [CommandOption]) -> Facts? {
    var facts = settings.values
    let endpoints = facts["server"]?.object?.names ?? []
    guard facts["idTokenRules"] == nil,
      endpoints.allSatisfy({ name in options.contains { $0.kept == "server.\(name)" } })
    else { return nil }
    let hasFile = ClientArguments.secretFile(settings) != nil
    switch facts["clientAuth"]?.text {
    case "none": facts["clientAuth"] = nil
    // Without a file the secret is asked for in the flows that have no page, and else by this word.
    case "listed": facts["clientAuth"] = hasFile || facts["flow"] != "code" ? nil : "basic"
    case "basicRaw": facts["clientAuth"] = .text(ClientProof.Way.rawBasic.rawValue)
    case "privateKey":
      guard hasFile else { return nil }
      facts["clientAuth"] = .text(ClientProof.Way.privateKeyJWT.rawValue)
    default: break
    }
    if facts["audienceAsked"] == true { facts["audience"] = "endpoint" }
    if facts["demandsBound"] == true { facts["bindsTokens"] = nil }
    return facts
  }
}

/// How `login oidc` and `login oauth2` come by tokens.
enum GrantFlow: String, CaseIterable, Sendable {
  case code
  case device
  case password
  case clientCredentials = "client-credentials"

  /// The option that chooses one.
  static let choice = CommandOption.choice(
    "--flow", allCases.map(\.rawValue),
    "log in on a page of the server (code, the default), with a short code on another device, with user "
      + "name and password, or as the application itself", kept: "flow", usual: "code")
}
