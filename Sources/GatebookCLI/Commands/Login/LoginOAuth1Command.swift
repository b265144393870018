internal import Gatebook

/// `gatebook login oauth1`.
struct LoginOAuth1Command: Command {
  private static let request = CommandOption.value(
    "--request-url", "U", "the URL for temporary credentials")
  private static let authorize = CommandOption.value(
    "--authorize-url", "U", "the page where the user allows the application")
  private static let access = CommandOption.value(
    "--access-url", "U", "the URL that exchanges the verifier for a token")
  private static let consumer = CommandOption.value(
    "--consumer-key", "K", "the consumer key at the server")
  private static let signature = CommandOption.choice(
    "--signature", ["hmac-sha1", "hmac-sha256", "rsa-sha1", "plaintext"],
    "how requests are signed (hmac-sha1)", ignoresCase: true)
  private static let check = CommandOption.value(
    "--check", "URL",
    "a URL that proves the login: it must refuse without a signature and answer 2xx with one")
  private static let user = CommandOption.value(
    "--user", "U",
    "the user name, which the server does not tell (with --account that of its last login)"
  )

  static let help = Help(
    "login oauth1", "Log in with OAuth 1.0a.", in: .login,
    details: [
      PageArguments.story,
      LoginArguments.questions(
        "the client's secret if there is no file (for `rsa-sha1` the file holds the private key in "
          + "PEM and is needed), the code with `--redirect oob`"),
    ],
    options: [request, authorize, access, consumer, signature, check, user]
      + [ClientArguments.secretFile] + PageArguments.all + LoginArguments.all,
    exits: LoginArguments.exits,
    examples: [
      "gatebook login oauth1 --request-url https://api.example/request --authorize-url "
        + "https://api.example/authorize --access-url https://api.example/access --consumer-key app "
        + "--check https://api.example/me --user ada"
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let service = OAuth1Service(
      requestTokenURL: try Self.url(arguments, Self.request),
      authorisationURL: try Self.url(arguments, Self.authorize),
      accessTokenURL: try Self.url(arguments, Self.access))
    let check = try Self.url(arguments, Self.check)
    let key = try arguments.required(Self.consumer)
    guard !key.isEmpty else {
      throw UsageError(
        "`--consumer-key` is empty.", remedy: "Give the consumer key of the application.")
    }
    let secret = try ClientArguments.secret(arguments)
    let isRSA = arguments[Self.signature] == "rsa-sha1"
    guard !isRSA || secret != nil else {
      throw UsageError(
        "`--signature rsa-sha1` needs the private key.",
        remedy: "Give its PEM file with `--client-secret-file FILE`.")
    }
    // Under the key, all who log in with this client would be one account.
    let user = try call.requiredUser(Self.user)
    return try await call.logInOnPage { redirect, questions in
      let secret =
        try secret ?? questions.clientSecret(of: key, at: service.accessTokenURL.origin)
      let consumer =
        isRSA
        ? try OAuth1Consumer(key: key, privateKey: secret)
        : OAuth1Consumer(key: key, secret: secret, method: Self.method(arguments))
      return .oauth1(
        service, consumer: consumer, checkURL: check, user: user,
        callback: redirect)
    }
  }

  private static func url(
    _ arguments: Arguments, _ option: CommandOption
  ) throws(UsageError) -> HTTPURL {
    try URLArgument.read(try arguments.required(option), option.name)
  }

  private static func method(_ arguments: Arguments) -> OAuth1Consumer.Method {
    switch arguments[signature] {
    case "hmac-sha256": .hmacSHA256
    case "plaintext": .plaintext
    default: .hmacSHA1
    }
  }
}

extension LoginOAuth1Command: RepeatableLogin {
  static func words(_ settings: SavedSettings) -> [String]? {
    let values = settings.values
    guard let service = values["service"]?.object, let key = values["consumerKey"]?.text,
      let proof = values["checkURL"]?.text, let ask = service["requestTokenUrl"]?.text,
      let page = service["authorisationUrl"]?.text, let exchange = service["accessTokenUrl"]?.text,
      let name = values["signature"]?.text.map({ $0.lowercased() }),
      signature.choices.contains(name),
      service["requestMethod"]?.text == OAuth1Service.RequestMethod.post.rawValue,
      service["requiresConfirmation"]?.bool == true, service["realm"] == nil
    else { return nil }
    let file = ClientArguments.secretFile(settings)
    guard name != "rsa-sha1" || file != nil else { return nil }
    let parts: [[String]] = [
      request.words(ask), authorize.words(page), access.words(exchange), consumer.words(key),
      signature.words(name == signature.choices.first ? nil : name), check.words(proof),
      ClientArguments.secretFile.words(file), PageArguments.words(settings),
    ]
    return parts.flatMap(\.self)
  }
}
