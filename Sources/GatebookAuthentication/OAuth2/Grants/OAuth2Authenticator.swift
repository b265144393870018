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
/// granting    --tokens---------------------> identifying  as in CodeGrant, DeviceGrant, OAuth2Granting
/// granting    --fewer scopes than demanded-> scope.missing
/// granting    --not bound, but demanded----> configuration.invalid
/// identifying --an identity----------------> finish       as in IdentitySearch
/// all         --no answer------------------> the transport's code
/// ```
struct OAuth2Authenticator<Kind: OAuth2Kind>: OAuth2Granting {
  /// Frozen: it is stored in events.
  static var method: String { Kind.method }

  var turn = Turn<Self>.ready
  var login: OAuth2Login
  var visit: CodeGrant?
  /// The person's codes, as long as it waits for them to be entered.
  var device: DeviceGrant?
  var unproven: OAuth2Tokens?
  private let flow: OAuth2Flow
  private var isForbiddenToStrangers: Bool?
  /// The endpoints of a server that was known before.
  private let former: OAuth2Server?

  init(_ login: OAuth2Login, _ flow: OAuth2Flow) {
    self.login = login
    self.flow = flow
    former = login.metadata.map { _ in login.endpoints }
  }

  /// As the server wants it while the person is at another device.
  var interval: Duration? { device?.pause }

  /// The tokens, as long as it is not proven whose they are, and those that cannot be used.
  var unclaimed: (any SessionProof)? {
    if case .machine(let search) = turn { return search.unclaimed }
    return unproven.map { OAuth2Proof<Kind>(login, tokens: $0, .nobody) }
  }

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    try login.check()
    guard let issuer = login.issuer, login.metadata?.serves(at: input.moment) != true else {
      return try probe(input)
    }
    let discovery = Discovery(issuer, lastGood: login.metadata)
    return discover(by: discovery, input) { machine, metadata, sent, input in
      machine.login.take(metadata)
      machine.learn(from: input, sent, by: issuer)
      return try machine.probe(input)
    }
  }

  /// Takes the time of the server's description, if it comes from where the tokens do: what the
  /// application signs for them must be made by that clock.
  private mutating func learn(from input: Input, _ sent: Moment?, by issuer: Issuer) {
    guard case .reply(let reply) = input.happening else { return }
    let recalled = reply.recalled.map { Moment(wall: $0, boot: .zero) }
    _ = login.learn(
      from: reply, of: issuer.url, at: recalled ?? input.moment, sent: recalled ?? sent)
  }

  /// Finds out whether this login can be proven before the person is asked for anything.
  private mutating func probe(_ input: Input) throws(GatebookError) -> Step {
    try login.checkEndpoints()
    guard !login.expectsIdentity, login.grant != .clientCredentials, let url = login.checkURL
    else { return try obtain(input) }
    return send(HTTPRequest("GET", url, limits: .login)) { machine, arrival in
      machine.isForbiddenToStrangers = try CheckURL(url)
        .strangerIsForbidden(arrival.status, arrival.reply)
      return try machine.obtain(arrival.input)
    }
  }

  private mutating func obtain(_ input: Input) throws(GatebookError) -> Step {
    switch flow {
    case .code(let redirectURI): try openPage(redirectURI: redirectURI, input)
    case .device: try askForCodes(input)
    case .password(let user, let password): try obtain(by: password, of: user, input)
    case .clientCredentials:
      try obtain(
        [("grant_type", "client_credentials")] + login.application.scopeParameter, for: .client,
        input)
    }
  }

  mutating func granted(
    _ granted: OAuth2Granted, _ input: Input
  ) throws(GatebookError) -> Step {
    var granted = granted
    // RFC 6749 section 5.1: without a scope in the answer it is the one that was asked for.
    granted.tokens.scope = granted.tokens.scope ?? login.application.scope
    let search = IdentitySearch<Kind>(
      granted, login, former: former, isForbiddenToStrangers: isForbiddenToStrangers)
    return try follow(search, input.starting)
  }
}

extension OAuth2Authenticator: StoredRecord {
  /// The machine that waits for its redirect, or for the person at another device: settings,
  /// secrets, what was found out, and what the flow waits with.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    isForbiddenToStrangers = facts.optional("forbidden", kept?.isForbiddenToStrangers)
    login = try facts.required("login", kept?.login)
    let waiting = try facts.required("waiting", kept?.visit?.record ?? kept?.device?.record)
    former = nil
    if login.grant == .code, let grant = CodeGrant(record: waiting) {
      flow = .code(redirectURI: grant.redirectURI)
      wait(for: grant)
    } else if login.grant == .device, let grant = DeviceGrant(record: waiting) {
      flow = .device
      wait(for: grant)
    } else {
      throw Unreadable()
    }
  }
}
