internal import GatebookCrypto
internal import GatebookEvents

/// The three steps from an application's key to a person's token (RFC 5849 section 2).
///
/// ```
/// ready      --begin-----------------------------> requesting POST for temporary credentials
/// requesting --2xx with a confirmed callback-----> visiting   the authorisation page is opened
/// requesting --2xx without-----------------------> content.unexpected
/// requesting --400 401 403-----------------------> configuration.invalid
/// visiting   --redirect with this token, verifier> exchanging POST for the token, sent once
/// visiting   --redirect without a verifier-------> challenge.cancelled
/// visiting   --redirect with another token-------> state.mismatch
/// exchanging --2xx with a token------------------> ended
/// exchanging --400 401 403-----------------------> code.refused
/// either     --timestamp refused, first time-----> itself, signed anew by the server's clock
/// either     --redirect--------------------------> server.moved
/// either     --404 405 410 415-------------------> configuration.invalid
/// either     --408 425 429 5xx-------------------> server.unavailable
/// either     --other-----------------------------> server.refused
/// ```
struct OAuth1Handshake: Sendable {
  /// The state of the handshake.
  enum Move: Sendable {
    case step(Step)
    case granted(OAuth1Session)
  }

  private enum State {
    case ready
    case requesting(OAuth1Exchange)
    case visiting(OAuth1Token)
    case exchanging(OAuth1Exchange)
    case ended
  }

  private var state = State.ready
  private let login: OAuth1Login
  private var clock = OAuth1Clock()

  init(_ login: OAuth1Login) {
    self.login = login
  }

  // MARK: The first step

  /// Asks for temporary credentials.
  ///
  /// - Throws: `configuration.invalid` for settings that cannot work; what the signer throws.
  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    try login.check()
    let service = login.service
    // Not repeatable: a nonce is used once.
    let request = HTTPRequest(
      service.requestMethod.rawValue, service.requestTokenURL, isRepeatable: false,
      limits: .login)
    let exchange = OAuth1Exchange(
      request, OAuth1Signer(login.consumer),
      extra: [OAuth1Parameter("oauth_callback", login.callback)], realm: service.realm,
      clock: clock)
    state = .requesting(exchange)
    return .send(try exchange.signed(input))
  }

  /// Takes the answer to the request that is under way.
  mutating func receive(
    _ status: StatusClass, _ reply: HTTPReply, _ input: Input
  ) throws(GatebookError) -> Move {
    switch state {
    case .requesting(var exchange):
      if let again = try exchange.again(after: reply, input) {
        state = .requesting(exchange)
        return .step(.send(again))
      }
      clock = exchange.clock
      return .step(try visit(status, reply))
    case .exchanging(var exchange):
      if let again = try exchange.again(after: reply, input) {
        state = .exchanging(exchange)
        return .step(.send(again))
      }
      guard case .accepted = status else {
        throw refusal(status, reply, exchange.request.url) { Self.codeRefused(reply) }
      }
      state = .ended
      return .granted(
        OAuth1Session(
          consumer: login.consumer, token: try OAuth1Reply(reply).token(), clock: exchange.clock,
          realm: login.service.realm))
    case .ready, .visiting, .ended:
      throw .loginOutOfOrder
    }
  }

  // MARK: The person's turn

  private mutating func visit(
    _ status: StatusClass, _ reply: HTTPReply
  ) throws(GatebookError) -> Step {
    let service = login.service
    guard case .accepted = status else {
      throw refusal(status, reply, service.requestTokenURL) { Self.consumerRefused(reply) }
    }
    let token = try OAuth1Reply(reply)
      .temporaryToken(requiringConfirmation: service.requiresConfirmation)
    guard let page = service.page(for: token) else {
      throw .setting(
        "authorisationURL",
        "it cannot be combined with a token into a URL.", remedy: "Give an absolute URL.")
    }
    state = .visiting(token)
    return .open(
      page,
      awaiting: AwaitedRedirect(
        uri: login.callback, key: "oauth_token", value: token.token.text,
        codeName: "oauth_verifier"))
  }

  /// Exchanges the verifier, which is used once, for the token.
  ///
  /// - Throws: `challenge.cancelled`, `state.mismatch`, `content.unexpected`; what the signer
  ///   throws.
  mutating func arrive(
    _ fields: FormFields, _ input: Input
  ) throws(GatebookError) -> Step {
    guard case .visiting(let token) = state else { throw .loginOutOfOrder }
    let extra = try verifier(in: fields, for: token)
    let exchange = OAuth1Exchange(
      HTTPRequest("POST", login.service.accessTokenURL, limits: .login),
      OAuth1Signer(login.consumer, token: token), extra: extra, realm: login.service.realm,
      clock: clock)
    state = .exchanging(exchange)
    return .send(try exchange.signed(input))
  }

  private func verifier(
    in fields: FormFields, for token: OAuth1Token
  ) throws(GatebookError) -> [OAuth1Parameter] {
    guard !fields.hasRepetition else {
      throw .atLogin(
        .contentUnexpected, "The redirect has a duplicate parameter.", remedy: "Begin a new login.")
    }
    guard let named = fields["oauth_token"], Secret(named) == token.token else {
      throw .atLogin(
        .stateMismatch, "The redirect belongs to another login.", remedy: "Begin a new login.")
    }
    // A person copies a verifier with the blanks around it.
    let text = fields["oauth_verifier"].map { Array($0.utf8).trimmed.text } ?? ""
    if !text.isEmpty { return [OAuth1Parameter("oauth_verifier", text)] }
    // OAuth 1.0 has no verifier; there a refusal must name itself.
    let isRefusal = ["denied", "error", "oauth_problem"].contains { fields[$0] != nil }
    guard !login.service.requiresConfirmation, !isRefusal else {
      throw .atLogin(
        .challengeCancelled, "The user did not allow the application.",
        remedy: "Log in again and allow it.", serverCode: fields["oauth_problem"])
    }
    return []
  }

  // MARK: Refusals

  private func refusal(
    _ status: StatusClass, _ reply: HTTPReply, _ url: HTTPURL, ofSecrets: () -> GatebookError
  ) -> GatebookError {
    if OAuth1Problem(reply)?.code == OAuth1Problem.timestampRefused { return Self.untimely(reply) }
    return switch status {
    case .unauthorised, .forbidden: ofSecrets()
    case .refused where reply.status == 400: ofSecrets()
    case .accepted, .redirected, .misplaced, .unavailable, .refused:
      .answered(reply, at: url, setting: "tokenURL")
    }
  }

  private static func consumerRefused(_ reply: HTTPReply) -> GatebookError {
    .atLogin(
      .configurationInvalid, "The server rejected the consumer key, its secret or the callback.",
      remedy:
        "Compare them with the registration at the server, and this machine's clock with the server's.",
      status: reply.status, serverCode: OAuth1Problem(reply)?.code)
  }

  /// The server's clock was tried already, where it told it.
  private static func untimely(_ reply: HTTPReply) -> GatebookError {
    .atLogin(
      .configurationInvalid, .clock,
      remedy: "Compare this machine's clock with the server's, then begin a new login.",
      status: reply.status, serverCode: OAuth1Problem.timestampRefused)
  }

  private static func codeRefused(_ reply: HTTPReply) -> GatebookError {
    .atLogin(
      .codeRefused, "The server rejected the verifier.", remedy: "Begin a new login.",
      status: reply.status, serverCode: OAuth1Problem(reply)?.code)
  }
}

extension OAuth1Handshake {
  /// Makes the handshake that waits for its redirect; `nil` for anything but what `record` wrote.
  init?(_ login: OAuth1Login, record: Facts) {
    guard let token = record["token"]?.object.flatMap({ OAuth1Token(record: $0) }),
      let offset = record["offset"]?.integer
    else { return nil }
    self.login = login
    clock = OAuth1Clock(offset: offset)
    state = .visiting(token)
  }

  /// What it needs to continue; without a token, unless it waits.
  var record: Facts {
    var record: Facts = ["offset": .integer(clock.offset)]
    if case .visiting(let token) = state { record["token"] = .object(token.record) }
    return record
  }
}
