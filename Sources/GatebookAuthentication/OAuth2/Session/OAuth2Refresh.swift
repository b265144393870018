internal import GatebookCrypto
internal import GatebookEvents

/// Renews tokens (RFC 6749 section 6).
///
/// Where the server is now was found out before, by OAuth2Rediscovery: from the first step on the
/// refresh token may be used up.
///
/// ```
/// ready      --start---------------------> refreshing  POST to the token endpoint, sent once
/// refreshing --a grant-------------------> finish      stored before anything else is asked
/// refreshing --a refresh token alone-----> finish      with it, and with what is wrong for who asked
/// refreshing --404 410, first time-------> searching   one discovery
/// searching  --another token endpoint----> refreshing  there
/// searching  --the same one--------------> configuration.invalid
/// refreshing --an ID token of another----> identity.mismatch
/// refreshing --any other-----------------> the code of TokenRefusal
/// ```
struct OAuth2Refresh<Kind: OAuth2Kind>: Authenticator {
  private enum State {
    case ready
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
      return try ask(input)
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
      let granted: OAuth2Granted
      do throws(GatebookError) {
        granted = try OAuth2Granted(reply, for: .refresh, of: exchange, login)
        // Who cannot do without that protection uses no other token, and has spent its refresh
        // token.
        try login.checkBinding(of: granted.tokens)
      } catch {
        return .finish(try outcome(reply, meaning: error, sent: exchange.sent, input))
      }
      self.granted = granted.tokens
      return .finish(
        try outcome(
          proof.tokens.renewed(by: granted.tokens), granted.idToken, sent: granted.sent, input))
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
    var discovery = Discovery(issuer, lastGood: login.metadata, isForced: true)
    let step = discovery.begin(input)
    let failure = TokenRefusal.error(
      reply, .refresh, at: exchange.url, emptyRefusesClient: false)
    state = .searching(discovery, from: exchange.url, failure)
    return step
  }

  /// What an answer brought that grants nothing that can be used.
  ///
  /// - Throws: What it means, where it did not even bring another refresh token.
  private mutating func outcome(
    _ reply: HTTPReply, meaning failure: GatebookError, sent: Moment, _ input: Input
  ) throws(GatebookError) -> Outcome {
    guard failure.code != .tokenRefused, let unusable = OAuth2Tokens(unusable: reply) else {
      throw failure
    }
    granted = unusable
    guard let tokens = proof.tokens.rotated(by: unusable) else { throw failure }
    let idToken = JSONDocument.read(reply.body)?.object?["id_token"]?.text
    return try outcome(tokens, idToken, besides: unusable, sent: sent, input)
      .falling(short: failure)
  }

  /// What a renewal proposes.
  ///
  /// - Parameters:
  ///   - tokens: The session's tokens from now on.
  ///   - idToken: The ID token that came.
  ///   - others: The tokens that came with it, where they are not those.
  ///   - sent: When the question was sent.
  ///   - input: The answer.
  /// - Returns: The outcome.
  /// - Throws: `identity.mismatch` for another user's ID token.
  private func outcome(
    _ tokens: OAuth2Tokens, _ idToken: String?, besides others: OAuth2Tokens? = nil, sent: Moment,
    _ input: Input
  ) throws(GatebookError) -> Outcome {
    var identity = proof.identity
    var refusal: IDTokenRefusal?
    if let idToken, login.metadata != nil {
      let taken = try identity.take(
        idToken, with: others ?? tokens, try login.identityCheck(), at: input.moment.wall)
      if case .refused(let reason) = taken { refusal = reason }
    }
    let renewed = OAuth2Proof<Kind>(login, tokens: tokens, identity)
    var outcome = Outcome(
      person: renewed.person, evidence: .session, attributes: UserAttributes(), proof: renewed,
      jar: CookieJar(), lifetime: tokens.lifetime)
    outcome.scope = tokens.scope
    outcome.isUnbound = login.binding != nil && !tokens.isBound
    outcome.refusedIDToken = refusal?.code
    outcome.sent = sent
    outcome.discovered = login.metadata?.fetched
    outcome.changedEndpoints = login.endpoints.changes(from: proof.login.endpoints)
    return outcome
  }
}
