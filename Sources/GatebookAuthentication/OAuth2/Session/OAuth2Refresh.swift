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
struct OAuth2Refresh<Proof: OAuth2Renewing>: OAuth2Machine {
  var turn = Turn<Self>.ready
  var login: OAuth2Login
  private let proof: Proof
  private let refresh: Secret
  private var hasSearched = false
  /// What the server has granted, before it is known to be the session's.
  private var granted: OAuth2Tokens?

  init(_ proof: Proof, with refresh: Secret) {
    self.proof = proof
    self.refresh = refresh
    login = proof.login
  }

  /// The new tokens alone: what the session has is not for this to take back.
  var unclaimed: (any SessionProof)? {
    granted.map { proof.holding($0) }
  }

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    let exchange = OAuth2Exchange(
      try login.url(.token),
      [("grant_type", "refresh_token"), ("refresh_token", refresh.text)], at: input.moment)
    return try ask(exchange, input) { try $0.refreshed($1, $2) }
  }

  private mutating func refreshed(
    _ arrival: Arrival, _ exchange: OAuth2Exchange
  ) throws(GatebookError) -> Step {
    let (reply, input) = (arrival.reply, arrival.input)
    if let issuer = login.issuer, [404, 410].contains(reply.status), !hasSearched {
      return search(at: issuer, after: reply, of: exchange.url, input)
    }
    let granted: OAuth2Granted
    do throws(GatebookError) {
      granted = try OAuth2Granted(reply, for: .refresh, of: exchange, login)
      // Who cannot do without that protection uses no other token, and has spent its refresh token.
      try login.checkBinding(of: granted.tokens)
    } catch {
      return .finish(try outcome(reply, meaning: error, sent: exchange.sent, input))
    }
    self.granted = granted.tokens
    return .finish(
      try outcome(proof.tokens.renewed(by: granted.tokens), granted, at: input.moment))
  }

  /// The discovery after a token endpoint that is gone.
  private mutating func search(
    at issuer: Issuer, after reply: HTTPReply, of former: HTTPURL, _ input: Input
  ) -> Step {
    hasSearched = true
    let discovery = Discovery(issuer, lastGood: login.metadata, isForced: true)
    return discover(by: discovery, input) { machine, metadata, _, input in
      machine.login.take(metadata)
      guard try machine.login.url(.token) != former else {
        throw TokenRefusal.error(reply, .refresh, at: former, emptyRefusesClient: false)
      }
      return try machine.begin(input)
    }
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
    let granted = OAuth2Granted(tokens: unusable, reply, sent: sent)
    return try outcome(tokens, granted, at: input.moment).falling(short: failure)
  }

  /// What a renewal proposes.
  ///
  /// - Parameters:
  ///   - tokens: The session's tokens from now on.
  ///   - granted: What came.
  ///   - moment: When it came.
  /// - Returns: The outcome.
  /// - Throws: `identity.mismatch` for another user's ID token.
  private func outcome(
    _ tokens: OAuth2Tokens, _ granted: OAuth2Granted, at moment: Moment
  ) throws(GatebookError) -> Outcome {
    var outcome = try proof.renewal(to: tokens, by: login, granted, at: moment)
    outcome.lifetime = tokens.lifetime
    outcome.sent = granted.sent
    return outcome
  }
}
