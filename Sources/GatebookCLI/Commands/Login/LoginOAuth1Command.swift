internal import Gatebook

/// `gatebook login oauth1`.
struct LoginOAuth1Command: RepeatableLogin {
  private static let request = CommandOption.value(
    "--request-url", "U", "the URL for temporary credentials",
    kept: "service.requestTokenUrl")
  private static let authorize = CommandOption.value(
    "--authorize-url", "U", "the page where the user allows the application",
    kept: "service.authorisationUrl")
  private static let access = CommandOption.value(
    "--access-url", "U", "the URL that exchanges the verifier for a token",
    kept: "service.accessTokenUrl")
  private static let consumer = CommandOption.value(
    "--consumer-key", "K", "the consumer key at the server", kept: "consumerKey")
  private static let signature = CommandOption.choice(
    "--signature", ["hmac-sha1", "hmac-sha256", "rsa-sha1", "plaintext"],
    "how requests are signed (hmac-sha1)", ignoresCase: true, kept: "signature", usual: "hmac-sha1")
  private static let check = CommandOption.value(
    "--check", "URL",
    "a URL that proves the login: it must refuse without a signature and answer 2xx with one",
    kept: "checkURL")
  private static let user = CommandOption.value(
    "--user", "U",
    "the user name, which the server does not tell (with --account that of its last login)"
  )

  static let help = Help(
    "login oauth1", "Log in with OAuth 1.0a.", in: .login,
    details: [
      ServerPageArguments.story,
      LoginArguments.questions(
        "the client's secret if there is no file (for `rsa-sha1` the file holds the private key in "
          + "PEM and is needed), the code with `--redirect oob`"),
    ],
    options: [request, authorize, access, consumer, signature, check, user]
      + [ClientArguments.secretFile] + ServerPageArguments.all
      + LoginArguments.all.filter { !LoginPageArguments.all.contains($0) },
    examples: [
      "gatebook login oauth1 --request-url https://api.example/request --authorize-url "
        + "https://api.example/authorize --access-url https://api.example/access --consumer-key app "
        + "--check https://api.example/me --user ada"
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let service = OAuth1Service(
      requestTokenURL: try arguments.url(Self.request),
      authorisationURL: try arguments.url(Self.authorize),
      accessTokenURL: try arguments.url(Self.access))
    let check = try arguments.url(Self.check)
    let key = try arguments.required(Self.consumer)
    guard !key.isEmpty else {
      throw UsageError(
        "`--consumer-key` is empty.", remedy: "Give the consumer key of the application.")
    }
    let secret = try ClientArguments.secret(arguments)
    let isRSA = arguments[Self.signature] == "rsa-sha1"
    guard !isRSA || secret != nil else {
      throw ClientArguments.keyless("--signature rsa-sha1")
    }
    // Under the key, all who log in with this client would be one account.
    let user = try call.requiredUser(Self.user)
    return try await call.logIn(onServerPage: true) { questions in
      let secret = try questions.clientSecret(
        secret, of: key, at: service.accessTokenURL.origin)
      let consumer =
        isRSA
        ? try OAuth1Consumer(key: key, privateKey: secret)
        : OAuth1Consumer(key: key, secret: secret, method: Self.method(arguments))
      return .oauth1(
        service, consumer: consumer, checkURL: check, user: user,
        callback: questions.redirect)
    }
  }

  private static func method(_ arguments: Arguments) -> OAuth1Consumer.Method {
    switch arguments[signature] {
    case "hmac-sha256": .hmacSHA256
    case "plaintext": .plaintext
    default: .hmacSHA1
    }
  }

  static func repeatable(_ settings: SavedSettings) -> Facts? {
    guard let service = settings.values["service"]?.object, service["realm"] == nil,
      service.agrees(with: usualService),
      settings.values["signature"] != "RSA-SHA1" || ClientArguments.secretFile(settings) != nil
    else { return nil }
    return settings.values
  }

  /// How a login asks for temporary credentials where no option says it.
  static let usualService: Facts = [
    "requestMethod": .text(OAuth1Service.RequestMethod.post.rawValue),
    "requiresConfirmation": true,
  ]
}
