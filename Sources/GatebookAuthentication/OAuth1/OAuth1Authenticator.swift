internal import GatebookEvents

/// Logs in with OAuth 1.0a and proves it by the check URL.
///
/// ```
/// ready    --start---------------------------> probing   GET the check URL without a signature
/// probing  --400, 401, 403, redirect---------> shaking   the handshake's first step
/// probing  --2xx-----------------------------> login.unprovable
/// probing  --404 405 410 415-----------------> configuration.invalid
/// probing  --408 425 429 5xx-----------------> server.unavailable
/// probing  --other---------------------------> server.refused
/// shaking  --answers, the redirect-----------> as in OAuth1Handshake
/// shaking  --token granted-------------------> checking  GET the check URL, signed
/// checking --2xx-----------------------------> finish
/// checking --timestamp refused, first time---> checking  signed anew by the server's clock
/// checking --408 425 429 5xx-----------------> server.unavailable
/// checking --other---------------------------> login.unprovable
/// all      --no answer-----------------------> the transport's code
/// ```
struct OAuth1Authenticator: RedirectAuthenticator {
  /// Frozen: it is stored in events.
  static let method = OAuth1Proof.method

  private enum State {
    case ready
    case probing
    case shaking
    case checking(OAuth1Exchange, OAuth1Session)
    case ended
  }

  private var state = State.ready
  private let login: OAuth1Login
  private let target: OAuth1Target
  private var isForbiddenToStrangers = false
  private var handshake: OAuth1Handshake

  init(_ login: OAuth1Login, _ target: OAuth1Target) {
    self.login = login
    self.target = target
    handshake = OAuth1Handshake(login)
  }

  /// Takes one input and says what to do next.
  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch (state, Answer(input)) {
    case (.ready, .begun):
      try login.check()
      try target.check()
      state = .probing
      return .send(HTTPRequest("GET", target.checkURL, limits: .login))
    case (.probing, .reply(let status, let reply)):
      return try probed(status, reply, input)
    case (.shaking, .reply(let status, let reply)):
      switch try handshake.receive(status, reply, input) {
      case .step(let step): return step
      case .granted(let session): return try check(session, input)
      }
    case (.shaking, .redirected(let fields)):
      return try handshake.arrive(fields, input)
    case (.checking(let exchange, let session), .reply(let status, let reply)):
      return try checked(status, reply, exchange, session, input)
    case (.probing, .missing(let failure)), (.shaking, .missing(let failure)),
      (.checking, .missing(let failure)):
      throw failure.error
    case (.ready, .reply), (.ready, .missing), (.ready, .redirected), (.probing, .begun),
      (.probing, .redirected), (.shaking, .begun), (.checking, .begun), (.checking, .redirected),
      (.ended, _):
      throw .loginOutOfOrder
    }
  }

  private mutating func probed(
    _ status: StatusClass, _ reply: HTTPReply, _ input: Input
  ) throws(GatebookError) -> Step {
    isForbiddenToStrangers = try CheckURL(target.checkURL).strangerIsForbidden(status, reply)
    state = .shaking
    return try handshake.begin(input)
  }

  private mutating func check(
    _ session: OAuth1Session, _ input: Input
  ) throws(GatebookError) -> Step {
    let exchange = OAuth1Exchange(
      HTTPRequest("GET", target.checkURL, limits: .login), signedBy: session)
    state = .checking(exchange, session)
    return .send(try exchange.signed(input))
  }

  private mutating func checked(
    _ status: StatusClass, _ reply: HTTPReply, _ exchange: OAuth1Exchange,
    _ session: OAuth1Session, _ input: Input
  ) throws(GatebookError) -> Step {
    var exchange = exchange
    if let again = try exchange.again(after: reply, input) {
      state = .checking(exchange, session)
      return .send(again)
    }
    state = .ended
    try CheckURL(target.checkURL).checkHolder(status, reply)
    var session = session
    session.clock = exchange.clock
    let proof = OAuth1Proof(session, target, isForbiddenToStrangers: isForbiddenToStrangers)
    return .finish(
      Outcome(
        person: target.person(of: session.consumer), evidence: .check, attributes: UserAttributes(),
        proof: proof,
        jar: CookieJar()))
  }
}

extension OAuth1Authenticator: StoredRecord {
  /// The machine that waits for its redirect.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    isForbiddenToStrangers = try facts.required("forbidden", kept?.isForbiddenToStrangers)
    let record = try facts.required("handshake", kept?.handshake.record)
    login = try facts.required("login", kept?.login)
    target = try facts.required("target", kept?.target)
    guard let handshake = OAuth1Handshake(login, record: record) else { throw Unreadable() }
    self.handshake = handshake
    state = .shaking
  }
}
