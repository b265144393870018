internal import GatebookCrypto
internal import GatebookEvents

/// Renews a portal's tokens (RFC 6749 section 6).
///
/// ```
/// ready      --start----------------> refreshing  POST to the token endpoint, sent once
/// refreshing --a grant--------------> finish      stored before anything else is asked
/// refreshing --a refresh token alone> finish      with it, and with what is wrong for who asked
/// refreshing --any other------------> the code of TokenRefusal
/// ```
struct LiferayOAuth2Refresh<Grant: LiferayOAuth2Grant>: Authenticator {
  private enum State {
    case ready
    case refreshing(sent: Moment)
    case ended
  }

  private var state = State.ready
  private let proof: LiferayOAuth2Proof<Grant>
  private let refresh: Secret
  /// What the portal has granted and nobody can use.
  private var granted: OAuth2Tokens?

  init(_ proof: LiferayOAuth2Proof<Grant>, with refresh: Secret) {
    self.proof = proof
    self.refresh = refresh
  }

  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch (state, Answer(input)) {
    case (.ready, .begun):
      state = .refreshing(sent: input.moment)
      return .send(
        try proof.login.tokenRequest([
          ("grant_type", "refresh_token"), ("refresh_token", refresh.text),
        ]))
    case (.refreshing(let sent), .reply(_, let reply)):
      state = .ended
      do throws(GatebookError) {
        let answer = try proof.login.tokens(in: reply, for: .refresh)
        return .finish(outcome(proof.tokens.renewed(by: answer), sent))
      } catch  where error.code == .contentUnexpected {
        granted = OAuth2Tokens(unusable: reply)
        guard let tokens = granted.flatMap({ proof.tokens.rotated(by: $0) }) else { throw error }
        return .finish(outcome(tokens, sent).falling(short: error))
      }
    case (.refreshing, .missing(let failure)):
      throw failure.error
    case (.ready, .reply), (.ready, .missing), (.refreshing, .begun), (_, .redirected), (.ended, _):
      throw .loginOutOfOrder
    }
  }

  /// Those tokens alone: what the session has is not for this to take back.
  var unclaimed: (any SessionProof)? { granted.map(proof.holding) }

  private func outcome(_ tokens: OAuth2Tokens, _ sent: Moment) -> Outcome {
    var outcome = Outcome(
      person: proof.person, evidence: .identity, attributes: UserAttributes(),
      proof: proof.holding(tokens), jar: CookieJar(), lifetime: tokens.lifetime)
    outcome.sent = sent
    return outcome
  }
}
