internal import GatebookCrypto
internal import GatebookEvents

/// The three steps from an application's key to a person's token (RFC 5849 section 2).
///
/// ```
/// ready      --shake-----------------------------> requesting POST for temporary credentials
/// requesting --2xx with a confirmed callback-----> visiting   the authorisation page is opened
/// requesting --2xx without-----------------------> content.unexpected
/// requesting --400 401 403-----------------------> configuration.invalid
/// visiting   --redirect with this token, verifier> exchanging POST for the token, sent once
/// visiting   --redirect without a verifier-------> challenge.cancelled
/// visiting   --redirect with another token-------> state.mismatch
/// exchanging --2xx with a token------------------> granted
/// exchanging --400 401 403-----------------------> code.refused
/// either     --timestamp refused, first time-----> itself, signed anew by the server's clock
/// either     --redirect--------------------------> server.moved
/// either     --404 405 410 415-------------------> configuration.invalid
/// either     --408 425 429 5xx-------------------> server.unavailable
/// either     --other-----------------------------> server.refused
/// ```
protocol OAuth1Handshake: ReplyAuthenticator, RedirectAuthenticator {
  /// The person's visit to the server's page, as long as it lasts.
  var visit: OAuth1Visit? { get set }

  /// Proves the login by what the server has granted.
  ///
  /// - Throws: The login failed.
  mutating func granted(
    _ session: OAuth1Session, _ input: Input
  ) throws(GatebookError) -> Step
}

/// What a login waits with for its redirect.
struct OAuth1Visit: Sendable {
  /// What is known of the server's clock.
  let clock: OAuth1Clock
  /// The temporary credentials.
  let token: OAuth1Token
}

extension OAuth1Visit: StoredRecord {
  /// What the handshake needs to continue.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    clock = try facts.required("offset", kept?.clock)
    token = try facts.required("token", kept?.token)
  }
}

extension OAuth1Handshake {
  // MARK: The first step

  /// Asks for temporary credentials.
  ///
  /// - Throws: `configuration.invalid` for settings that cannot work; what the signer throws.
  mutating func shake(_ login: OAuth1Login, _ input: Input) throws(GatebookError) -> Step {
    try login.check()
    let service = login.service
    // Not repeatable: a nonce is used once.
    let request = HTTPRequest(
      service.requestMethod.rawValue, service.requestTokenURL, isRepeatable: false,
      limits: .login)
    let exchange = OAuth1Exchange(
      request: request, signer: OAuth1Signer(login.consumer),
      extra: [OAuth1Parameter("oauth_callback", login.callback)], realm: service.realm,
      clock: OAuth1Clock())
    return try send(exchange, input) { try $0.visit(by: login, $1.reply, $2) }
  }

  // MARK: The person's turn

  private mutating func visit(
    by login: OAuth1Login, _ reply: HTTPReply, _ clock: OAuth1Clock
  ) throws(GatebookError) -> Step {
    let service = login.service
    guard case .accepted = StatusClass(reply.status) else {
      throw OAuth1Refusal.of(.consumer, reply, at: service.requestTokenURL)
    }
    let token = try OAuth1Reply(reply)
      .temporaryToken(requiringConfirmation: service.requiresConfirmation)
    guard let page = service.page(for: token) else {
      throw .setting(
        "authorisationURL",
        "it cannot be combined with a token into a URL.", remedy: "Give an absolute URL.")
    }
    wait(for: OAuth1Visit(clock: clock, token: token), by: login)
    return .open(
      page,
      awaiting: AwaitedRedirect(
        uri: login.callback, key: "oauth_token", value: token.token.text,
        codeName: "oauth_verifier"))
  }

  /// Waits for the redirect that ends a visit.
  mutating func wait(for visit: OAuth1Visit, by login: OAuth1Login) {
    self.visit = visit
    turn = .person { try $0.exchange($1, of: visit, by: login, $2) }
  }

  /// Exchanges the verifier, which is used once, for the token.
  private mutating func exchange(
    _ fields: FormFields, of visit: OAuth1Visit, by login: OAuth1Login, _ input: Input
  ) throws(GatebookError) -> Step {
    let (service, consumer) = (login.service, login.consumer)
    let exchange = OAuth1Exchange(
      request: HTTPRequest("POST", service.accessTokenURL, limits: .login),
      signer: OAuth1Signer(consumer, token: visit.token),
      extra: try service.verifier(in: fields, for: visit.token), realm: service.realm,
      clock: visit.clock)
    return try send(exchange, input) { machine, arrival, clock in
      guard case .accepted = arrival.status else {
        throw OAuth1Refusal.of(.verifier, arrival.reply, at: service.accessTokenURL)
      }
      let session = OAuth1Session(
        consumer: consumer, token: try OAuth1Reply(arrival.reply).token(), clock: clock,
        realm: service.realm)
      return try machine.granted(session, arrival.input)
    }
  }
}

extension OAuth1Service {
  fileprivate func verifier(
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
    guard !requiresConfirmation, !isRefusal else {
      throw .atLogin(
        .challengeCancelled, "The user did not allow the application.",
        remedy: "Log in again and allow it.", serverCode: fields["oauth_problem"])
    }
    return []
  }
}

/// What a token endpoint did not accept.
private enum OAuth1Refusal {
  /// The consumer key, its secret or the callback.
  case consumer
  /// The verifier.
  case verifier

  /// The failure that an answer other than 2xx means.
  static func of(_ refused: OAuth1Refusal, _ reply: HTTPReply, at url: HTTPURL) -> GatebookError {
    let code = OAuth1Problem(reply)?.code
    guard code != OAuth1Problem.timestampRefused else {
      // The server's clock was tried already, where it told it.
      return .atLogin(
        .configurationInvalid, .clock,
        remedy: "Compare this machine's clock with the server's, then begin a new login.",
        status: reply.status, serverCode: code)
    }
    guard [400, 401, 403].contains(reply.status) else {
      return .answered(reply, at: url, setting: "tokenURL")
    }
    return switch refused {
    case .consumer:
      .atLogin(
        .configurationInvalid, "The server rejected the consumer key, its secret or the callback.",
        remedy:
          "Compare them with the registration at the server, and this machine's clock with the server's.",
        status: reply.status, serverCode: code)
    case .verifier:
      .atLogin(
        .codeRefused, "The server rejected the verifier.", remedy: "Begin a new login.",
        status: reply.status, serverCode: code)
    }
  }
}
