internal import Gatebook
internal import GatebookCurl

extension LoginCommand {
  /// Logs in at an address, by what the server there says of itself.
  @MainActor static func logIn(at text: String, _ call: Call) async throws -> ExitCode {
    guard call.globals.account == nil else {
      throw UsageError(
        "A server's address and an account cannot be combined.",
        remedy: "Give only one of them.")
    }
    let url = try URLArgument.read(text, "URL")
    var options = try LoginRequest(call.arguments).options(at: url.origin)
    options.trust.pins = []
    try CurlTransport.check(options.trust)
    var route = Route(pool: "login", trust: options.trust)
    // Nothing of the user is sent.
    route.allowsCleartext = true
    let survey = ServerSurvey(
      transport: CommandTransport.curl(call, isLogin: true), route: route)
    call.progress.show("asking \(url.origin) how to log in")
    defer { call.progress.finish() }
    guard let finding = try await survey.find(at: url) else { throw unknown(url) }
    call.progress.finish()
    let words = try words(of: finding, url, call)
    let given = call.arguments.options.flatMap { option in
      option.placeholder == nil
        ? [option.name] : call.arguments.all(option).flatMap { option.words($0) }
    }
    let line = "gatebook " + (words + given).map(ShellText.word).joined(separator: " ")
    let needed = needed(of: finding)
    guard call.arguments[needed] != nil || words.contains(needed.name) else {
      throw UsageError(
        Printable.text("\(told(finding, url)) `\(needed.name)` is missing."),
        remedy: Printable.text("Run `\(line) \(needed.usage)`."))
    }
    call.output.message(Printable.text("\(told(finding, url)) Running `\(line)`."))
    return try await run(words, call)
  }

  /// The option that a login needs and no server tells.
  private static func needed(of finding: ServerSurvey.Finding) -> CommandOption {
    switch finding {
    case .openID: GrantRequest.client
    case .http, .form: user
    }
  }

  /// What was found, as a sentence.
  private static func told(_ finding: ServerSurvey.Finding, _ url: HTTPURL) -> String {
    let server = ServerName.text(url.origin.description)
    return switch finding {
    case .openID(let issuer): "\(server) supports OpenID Connect as \(issuer)."
    case .http(let scheme): "\(server) asks for HTTP authentication (\(scheme))."
    case .form: "\(server) shows a login form."
    }
  }

  /// The command line for what was found; on a terminal it asks for what is missing.
  @MainActor private static func words(
    of finding: ServerSurvey.Finding, _ url: HTTPURL, _ call: Call
  ) throws -> [String] {
    let arguments = call.arguments
    /// Asks for an option's value that was not given.
    func asked(_ option: CommandOption, _ question: String) throws -> [String] {
      guard arguments[option] == nil, Terminal.isThere,
        !arguments.has(Answers.standardInputOption)
      else { return [] }
      return option.words(try call.answers.text(question))
    }
    switch finding {
    case .openID(let issuer):
      return ["login", "oidc", "--issuer", issuer]
        + (try asked(GrantRequest.client, "Client ID that is registered at \(url.origin)"))
    case .http:
      return ["login", "http", "--url", url.description]
        + (try asked(user, "User at \(url.origin)"))
    case .form(let form, let check):
      guard !form.hasOwnValues else { throw ownValues(form, url) }
      let fields = ["--user-field", form.userField, "--password-field", form.passwordField]
      let proof =
        if let check, arguments[Self.check] == nil {
          Self.check.words(check.description)
        } else {
          try asked(Self.check, "Address of a page that only logged-in users can see")
        }
      let who = try asked(user, "User at \(url.origin)")
      return ["login", "form", "--url", form.url.description] + fields + proof + who
    }
  }

  private static func unknown(_ url: HTTPURL) -> GatebookError {
    GatebookError(
      .contentUnexpected,
      "Gatebook found no way to log in at \(url.withoutQuery). The address has no OpenID Connect metadata, "
        + "does not ask for HTTP authentication, and shows no login form.",
      kept: "Nothing was recorded.",
      remedy: "Give the address of a page that needs a login, or name the method: "
        + methods.map { "`\($0)`" }.joined(separator: ", ")
        + ". See `gatebook help login`.")
  }

  private static func ownValues(_ form: PageForm, _ url: HTTPURL) -> GatebookError {
    GatebookError(
      .contentUnexpected,
      "The login form of \(url.origin) contains hidden values that change each time, and `login form` "
        + "cannot send them.",
      kept: "Nothing was recorded.",
      remedy: "Ask the server's administrator for another way to log in, such as OpenID Connect.")
  }
}
