internal import GatebookCrypto
internal import GatebookEvents

/// Renews a portal's tokens (RFC 6749 section 6).
///
/// ```
/// ready    --start------------> refreshing   POST to the token endpoint, sent once
/// refreshing --a grant--------> finish       stored before anything else is asked
/// refreshing --any other------> the code of TokenRefusal
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
      let answer = try proof.login.tokens(in: reply, for: .refresh)
      let tokens = proof.tokens.renewed(by: answer)
      let renewed = LiferayOAuth2Proof<Grant>(proof.login, tokens: tokens, person: proof.person)
      var outcome = Outcome(
        person: proof.person, evidence: .identity, attributes: UserAttributes(), proof: renewed,
        jar: CookieJar(), lifetime: tokens.lifetime)
      outcome.sent = sent
      return .finish(outcome)
    case (.refreshing, .missing(let failure)):
      throw failure.error
    case (.ready, .reply), (.ready, .missing), (.refreshing, .begun), (_, .redirected), (.ended, _):
      throw .loginOutOfOrder
    }
  }
}
