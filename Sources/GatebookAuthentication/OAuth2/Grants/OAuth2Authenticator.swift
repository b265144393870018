internal import GatebookCrypto
internal import GatebookEvents

/// Logs in by OAuth 2 or OpenID Connect: finds out about the server, comes by tokens, and proves
/// whose they are.
///
/// ```
/// ready       --an issuer is set-----------> discovering  as in Discovery
/// ready       --everything is set by hand--> probing, or granting
/// discovering --metadata-------------------> probing, or granting
/// probing     --a refusal------------------> granting     where nothing but the check URL proves
/// probing     --any other------------------> the code of CheckURL
/// granting    --tokens---------------------> identifying  as in CodeGrant, DeviceGrant, DirectGrant
/// granting    --fewer scopes than demanded-> scope.missing
/// granting    --not bound, but demanded----> configuration.invalid
/// identifying --an identity----------------> finish       as in IdentitySearch
/// all         --no answer------------------> the transport's code
/// ```
struct OAuth2Authenticator<Kind: OAuth2Kind>: RedirectAuthenticator {
  /// Frozen: it is stored in events.
  static var method: String { Kind.method }

  private enum State {
    case ready
    case discovering(Discovery)
    case probing(HTTPURL)
    case granting
    case identifying(IdentitySearch<Kind>)
  }

  private var state = State.ready
  private var login: OAuth2Login
  private var granting: any OAuth2Granting
  private var isForbiddenToStrangers: Bool?
  /// The endpoints of a server that was known before.
  private let former: OAuth2Server?
  /// What came that cannot be used, such as a token of an unknown type.
  private var unusable: OAuth2Tokens?

  init(_ login: OAuth2Login, _ granting: any OAuth2Granting) {
    self.login = login
    self.granting = granting
    former = login.metadata.map { _ in login.endpoints }
  }

  /// As the server wants it while the person is at another device.
  var interval: Duration? {
    guard case .granting = state else { return nil }
    return granting.interval
  }

  /// Takes one input and says what to do next.
  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch state {
    case .ready:
      guard case .begun = Answer(input) else { throw .loginOutOfOrder }
      return try begin(input)
    case .discovering(var discovery):
      let sent = discovery.sent
      switch try discovery.next(input) {
      case .step(let step):
        state = .discovering(discovery)
        return step
      case .done(let metadata):
        login.take(metadata)
        learn(from: input, sent)
        return try probe(input)
      }
    case .probing(let url): return try probed(url, input)
    case .granting:
      switch try grant(input) {
      case .step(let step): return step
      case .done(let granted): return try identify(granted, input)
      }
    case .identifying(var search):
      defer { state = .identifying(search) }
      return try search.next(input)
    }
  }

  /// The tokens, as long as it is not proven whose they are, and those that cannot be used.
  var unclaimed: (any SessionProof)? {
    var (login, tokens) = (login, unusable)
    if case .identifying(let search) = state { (login, tokens) = (search.login, search.unproven) }
    return tokens.map {
      OAuth2Proof<Kind>(
        login, tokens: $0, KeptIdentity(userID: "", loginName: "", isNamed: false))
    }
  }

  private mutating func grant(_ input: Input) throws(GatebookError) -> Move<OAuth2Granted> {
    do throws(GatebookError) {
      return try granting.next(&login, input)
    } catch {
      if case .reply(let reply) = input.happening { unusable = OAuth2Tokens(unusable: reply) }
      throw error
    }
  }

  private mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    try login.check()
    guard let issuer = login.issuer, login.metadata?.serves(at: input.moment) != true else {
      return try probe(input)
    }
    var discovery = Discovery(issuer, lastGood: login.metadata)
    let step = discovery.begin(input)
    state = .discovering(discovery)
    return step
  }

  /// Takes the time of the server's description, if it comes from where the tokens do: what the
  /// application signs for them must be made by that clock.
  private mutating func learn(from input: Input, _ sent: Moment?) {
    guard case .reply(let reply) = input.happening, let issuer = login.issuer else { return }
    let recalled = reply.recalled.map { Moment(wall: $0, boot: .zero) }
    _ = login.learn(
      from: reply, of: issuer.url, at: recalled ?? input.moment, sent: recalled ?? sent)
  }

  /// Finds out whether this login can be proven before the person is asked for anything.
  private mutating func probe(_ input: Input) throws(GatebookError) -> Step {
    try login.checkEndpoints()
    guard !login.expectsIdentity, login.grant != .clientCredentials, let url = login.checkURL
    else {
      state = .granting
      return try granting.begin(&login, input)
    }
    state = .probing(url)
    return .send(HTTPRequest("GET", url, limits: .login))
  }

  private mutating func probed(_ url: HTTPURL, _ input: Input) throws(GatebookError) -> Step {
    switch Answer(input) {
    case .reply(let status, let reply):
      isForbiddenToStrangers = try CheckURL(url).strangerIsForbidden(status, reply)
      state = .granting
      return try granting.begin(&login, input)
    case .missing(let failure): throw failure.error
    case .begun, .redirected: throw .loginOutOfOrder
    }
  }

  private mutating func identify(
    _ granted: OAuth2Granted, _ input: Input
  ) throws(GatebookError) -> Step {
    var granted = granted
    // RFC 6749 section 5.1: without a scope in the answer it is the one that was asked for.
    granted.tokens.scope = granted.tokens.scope ?? login.application.scope
    var search = IdentitySearch<Kind>(
      granted, login, former: former, isForbiddenToStrangers: isForbiddenToStrangers)
    // From here on they are there to be taken back.
    defer { state = .identifying(search) }
    return try search.begin(input)
  }
}

extension OAuth2Authenticator: StoredRecord {
  /// The machine that waits for its redirect, or for the person at another device: settings,
  /// secrets, what was found out, and what the flow waits with.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    isForbiddenToStrangers = facts.optional("forbidden", kept?.isForbiddenToStrangers)
    login = try facts.required("login", kept?.login)
    let waiting = try facts.required("waiting", kept?.granting.waiting)
    let granting: (any OAuth2Granting)? =
      switch login.grant {
      case .code: CodeGrant(record: waiting)
      case .device: DeviceGrant(record: waiting)
      case .password, .clientCredentials: nil
      }
    guard let granting else { throw Unreadable() }
    self.granting = granting
    former = nil
    state = .granting
  }
}
