internal import Gatebook

/// How a client shows a server of OAuth 2 who it is, as the options say it.
struct ClientProof: Sendable {
  /// The ways, by the names of `token_endpoint_auth_methods_supported` made short.
  enum Way: String, CaseIterable, Sendable {
    case none
    case basic
    case rawBasic = "raw-basic"
    case post
    case privateKeyJWT = "private-key-jwt"
  }

  /// The option that chooses one.
  static let choice = CommandOption.choice(
    "--client-auth", Way.allCases.map(\.rawValue),
    "how the client authenticates (default: with a secret basic or post, as the server lists them; "
      + "otherwise none); raw-basic encodes nothing; for private-key-jwt the file holds the private key in "
      + "PEM",
    kept: "clientAuth")

  /// The option that names the private key to the server.
  static let keyID = CommandOption.value(
    "--key-id", "K", "the `kid` of the private key, if the server knows several", kept: "keyID")

  /// The option that says what the client's assertions are for.
  static let audience = CommandOption.value(
    "--assertion-audience", "AUD",
    "the audience of private-key-jwt assertions (the URL of the token endpoint); `endpoint`: the URL of "
      + "the endpoint that each is sent to",
    kept: "audience")

  /// `nil`: with the secret, as the server lists it.
  private let way: Way?
  private let keyID: String?
  private let audience: OAuth2Application.Authentication.Audience
  private let secret: Secret?
  /// Whether the client shows nothing because no option says that it has anything.
  let isAssumed: Bool

  /// Reads the options and the file that they name.
  ///
  /// - Parameters:
  ///   - arguments: What was given.
  ///   - isDemanded: Whether the client must show who it is.
  /// - Throws: `UsageError` for options that contradict each other, and what reading the file
  ///   throws.
  init(_ arguments: Arguments, isDemanded: Bool) throws {
    secret = try ClientArguments.secret(arguments)
    keyID = arguments[Self.keyID]
    audience =
      switch arguments[Self.audience] {
      case nil: .tokenEndpoint
      case "endpoint"?: .askedEndpoint
      case let text?: .text(text)
      }
    let usual: Way? = secret != nil || isDemanded ? nil : Way.none
    way = arguments[Self.choice].flatMap(Way.init) ?? usual
    isAssumed = arguments[Self.choice] == nil && usual == Way.none
    for option in [Self.keyID, Self.audience]
    where arguments[option] != nil && way != .privateKeyJWT {
      throw UsageError(
        "`\(option.name)` has no effect without a private key.",
        remedy: "Leave it out, or use it with `--client-auth private-key-jwt`.")
    }
    if way == Way.none, secret != nil { throw ClientArguments.uselessSecret }
    if way == .privateKeyJWT, secret == nil {
      throw ClientArguments.keyless("--client-auth private-key-jwt")
    }
  }

  /// The way with its secret, which is asked for where no file has it.
  @MainActor func authentication(
    of client: String, at server: Origin, _ questions: LoginQuestions
  ) throws(GatebookError) -> OAuth2Application.Authentication {
    if way == Way.none {
      return isAssumed ? questions.addedClientSecret.map { .secret($0) } ?? .none : .none
    }
    let secret = try questions.clientSecret(secret, of: client, at: server)
    return switch way {
    case nil, Way.none?: .secret(secret)
    case .basic?: .basic(secret)
    case .rawBasic?: .rawBasic(secret)
    case .post?: .post(secret)
    case .privateKeyJWT?: try .privateKey(secret, keyID: keyID, audience: audience)
    }
  }
}

/// The options that say how a client shows a server who it is.
enum ClientArguments {
  /// The file of the client's secret.
  static let secretFile = CommandOption.value(
    "--client-secret-file", "F",
    "a file of mode 0600 that holds only the client's secret; without it Gatebook asks",
    kept: "options.notes.client-secret-file")

  /// Reads the secret's file; `nil` when none is named.
  static func secret(_ arguments: Arguments) throws(GatebookError) -> Secret? {
    guard let path = arguments[secretFile] else { return nil }
    return try SecretFile.read(path, secretFile)
  }

  /// The error for a secret that nobody shows.
  static let uselessSecret = UsageError(
    "`--client-auth none` uses no secret.",
    remedy: "Leave out `--client-secret-file`, or use `--client-auth basic`.")

  /// The error for an option that needs a private key.
  static func keyless(_ option: String) -> UsageError {
    UsageError(
      "`\(option)` needs the private key.",
      remedy: "Give its PEM file with `--client-secret-file FILE`.")
  }

  /// The secret's file, as a login named it.
  static func secretFile(_ settings: SavedSettings) -> String? {
    settings.options.notes[LoginNotes.name(of: secretFile)]
  }
}
