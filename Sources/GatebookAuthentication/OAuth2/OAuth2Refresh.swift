internal import GatebookCrypto
internal import GatebookEvents

/// Renews tokens (RFC 6749 section 6).
///
/// ```
/// ready       --metadata too old---------> discovering  as in Discovery; its failures change nothing
/// ready       --start--------------------> refreshing   POST to the token endpoint, sent once
/// discovering --done---------------------> refreshing   with what is known, if that is not fit for use
/// refreshing  --a grant------------------> finish       stored before anything else is asked
/// refreshing  --404 410, first time------> searching    one discovery
/// searching   --another token endpoint---> refreshing   there
/// searching   --the same one-------------> configuration.invalid
/// refreshing  --an ID token of another---> identity.mismatch
/// refreshing  --any other----------------> the code of TokenRefusal
/// ```
struct OAuth2Refresh<Kind: OAuth2Kind>: Authenticator {
  private enum State {
    case ready
    case discovering(Discovery)
    case refreshing(OAuth2Exchange)
    case searching(Discovery, from: HTTPURL, GatebookError)
    case ended
  }

  private var state = State.ready
  private let proof: OAuth2Proof<Kind>
  private let refresh: Secret
  private var login: OAuth2Login
  private var hasSearched = false
  /// What the server has granted, before it is known to be the session's.
  private var granted: OAuth2Tokens?

  init(_ proof: OAuth2Proof<Kind>, with refresh: Secret) {
    self.proof = proof
    self.refresh = refresh
    login = proof.login
  }

  /// The new tokens alone: what the session has is not for this to take back.
  var unclaimed: (any SessionProof)? {
    granted.map { OAuth2Proof<Kind>(login, tokens: $0, proof.identity) }
  }

  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch state {
    case .ready:
      guard case .begun = Answer(input) else { throw .loginOutOfOrder }
      guard let issuer = login.issuer, login.metadata?.isFresh(at: input.moment) != true else {
        return try ask(input)
      }
      var discovery = Discovery(issuer, lastGood: login.metadata)
      let step = discovery.begin(input)
      state = .discovering(discovery)
      return step
    case .discovering(var discovery):
      switch try discovery.next(input) {
      case .step(let step):
        state = .discovering(discovery)
        return step
      case .done(let metadata):
        login.take(metadata)
        return try ask(input)
      }
    case .refreshing(let exchange): return try refreshed(exchange, input)
    case .searching(var discovery, let former, let failure):
      switch try discovery.next(input) {
      case .step(let step):
        state = .searching(discovery, from: former, failure)
        return step
      case .done(let metadata):
        login.take(metadata)
        guard try login.url(.token) != former else { throw failure }
        return try ask(input)
      }
    case .ended: throw .loginOutOfOrder
    }
  }

  private mutating func ask(_ input: Input) throws(GatebookError) -> Step {
    var exchange = OAuth2Exchange(
      try login.url(.token),
      [("grant_type", "refresh_token"), ("refresh_token", refresh.text)], at: input.moment)
    let step = try exchange.send(login, input)
    state = .refreshing(exchange)
    return step
  }

  private mutating func refreshed(
    _ exchange: OAuth2Exchange, _ input: Input
  ) throws(GatebookError) -> Step {
    switch Answer(input) {
    case .reply(_, let reply):
      var exchange = exchange
      if let again = try exchange.again(after: reply, &login, input) {
        state = .refreshing(exchange)
        return again
      }
      if let search = search(after: reply, exchange, input) { return search }
      state = .ended
      let granted = try OAuth2Granted(
        reply, for: .refresh, of: exchange, login,
        formerType: proof.tokens.isBound ? "DPoP" : "Bearer")
      self.granted = granted.tokens
      return .finish(try outcome(granted, input))
    case .missing(let failure): throw failure.error
    case .begun, .redirected: throw .loginOutOfOrder
    }
  }

  /// The discovery after a token endpoint that is gone; `nil` where none is due.
  private mutating func search(
    after reply: HTTPReply, _ exchange: OAuth2Exchange, _ input: Input
  ) -> Step? {
    guard [404, 410].contains(reply.status), !hasSearched, let issuer = login.issuer else {
      return nil
    }
    hasSearched = true
    var discovery = Discovery(issuer, lastGood: login.metadata)
    let step = discovery.begin(input)
    let failure = TokenRefusal.error(
      reply, .refresh, at: exchange.url, emptyRefusesClient: false)
    state = .searching(discovery, from: exchange.url, failure)
    return step
  }

  private func outcome(
    _ granted: OAuth2Granted, _ input: Input
  ) throws(GatebookError) -> Outcome {
    let tokens = proof.tokens.renewed(by: granted.tokens)
    var identity = proof.identity
    var refusal: IDTokenRefusal?
    if let idToken = granted.idToken, login.metadata != nil {
      let taken = try identity.take(
        idToken, with: tokens, try login.identityCheck(), at: input.moment.wall)
      if case .refused(let reason) = taken { refusal = reason }
    }
    let renewed = OAuth2Proof<Kind>(login, tokens: tokens, identity)
    var outcome = Outcome(
      person: renewed.person, evidence: .session, attributes: UserAttributes(), proof: renewed,
      jar: CookieJar(), lifetime: tokens.lifetime)
    outcome.scope = tokens.scope
    outcome.isUnbound = login.binding != nil && !tokens.isBound
    do throws(GatebookError) {
      try login.checkBinding(of: tokens)
    } catch {
      outcome.unfitForLogin = error
    }
    outcome.refusedIDToken = refusal?.code
    outcome.sent = granted.sent
    outcome.discovered = login.metadata?.fetched
    outcome.changedEndpoints = login.endpoints.changes(from: proof.login.endpoints)
    return outcome
  }
}
