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
    var options = try LoginArguments.options(call.arguments, at: url.origin)
    options.trust.pins = []
    try CurlTransport.check(options.trust)
    var route = Route(pool: "login", trust: options.trust)
    // Nothing of the user is sent.
    route.allowsCleartext = true
    var transport = CommandTransport.curl(call, isLogin: true)
    transport.limit = try LoginArguments.timeout(call.arguments)
    let survey = ServerSurvey(transport: transport, route: route)
    call.progress.show("asking \(url.origin) how to log in")
    defer { call.progress.finish() }
    guard let finding = try await survey.find(at: url) else { throw unknown(url) }
    call.progress.finish()
    let way = try way(finding, url, call)
    let words = way.words + (try asked(way.needed, way.question, call))
    let given = call.arguments.options.flatMap { option in
      option.placeholder == nil
        ? [option.name] : call.arguments.all(option).flatMap { option.words($0) }
    }
    let line = "gatebook " + (words + given).map(ShellText.word).joined(separator: " ")
    let told = "\(ServerName.text(url.origin.description)) \(way.told)"
    guard call.arguments[way.needed] != nil || words.contains(way.needed.name) else {
      throw UsageError(
        Printable.text("\(told) `\(way.needed.name)` is missing."),
        remedy: Printable.text("Run `\(line) \(way.needed.usage)`."))
    }
    call.output.message(Printable.text("\(told) Running `\(line)`."))
    return try await run(words, call)
  }

  /// How to log in at a server, by what was found there.
  private struct Way {
    /// What the server does, in words that follow its name.
    let told: String
    /// The command line, as far as the server says it.
    let words: [String]
    /// The option that the login needs and no server tells.
    let needed: CommandOption
    /// How a person is asked for it.
    let question: String
  }

  @MainActor private static func way(
    _ finding: ServerSurvey.Finding, _ url: HTTPURL, _ call: Call
  ) throws -> Way {
    switch finding {
    case .openID(let issuer, let offers):
      return Way(
        told: "supports OpenID Connect as \(issuer).",
        words: ["login", "oidc", "--issuer", issuer] + flow(offers, call.arguments),
        needed: GrantRequest.client, question: "Client ID that is registered at \(url.origin)")
    case .http(let scheme):
      return Way(
        told: "asks for HTTP authentication (\(scheme)).",
        words: ["login", "http", "--url", url.description],
        needed: user, question: "User at \(url.origin)")
    case .form(let form, let check):
      guard !form.hasOwnValues else { throw ownValues(form, url) }
      let fields = ["--user-field", form.userField, "--password-field", form.passwordField]
      let proof =
        if let check, call.arguments[Self.check] == nil {
          Self.check.words(check.description)
        } else {
          try asked(Self.check, "Address of a page that only logged-in users can see", call)
        }
      return Way(
        told: "shows a login form.",
        words: ["login", "form", "--url", form.url.description] + fields + proof,
        needed: user, question: "User at \(url.origin)")
    }
  }

  /// The flow that takes a password which is given and has no other use, if the server lists it.
  private static func flow(_ offers: ServerOffers, _ arguments: Arguments) -> [String] {
    let isForPassword =
      arguments.has(Answers.standardInputOption) && arguments[user] != nil
      && arguments[GrantFlow.choice] == nil
      && ServerPageArguments.all.allSatisfy { !arguments.has($0) }
    return isForPassword && offers.listsPassword
      ? GrantFlow.choice.words(GrantFlow.password.rawValue) : []
  }

  /// Asks on a terminal for an option's value that was not given, as words of a command line.
  @MainActor private static func asked(
    _ option: CommandOption, _ question: String, _ call: Call
  ) throws -> [String] {
    guard call.arguments[option] == nil, Terminal.isThere,
      !call.arguments.has(Answers.standardInputOption)
    else { return [] }
    return option.words(try call.answers.text(question))
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
