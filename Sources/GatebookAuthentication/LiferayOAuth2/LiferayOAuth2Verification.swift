internal import GatebookEvents

/// Asks a portal for whom it takes the bearer of a session's token.
///
/// ```
/// ready       --start------------------> identifying   get-current-user
/// identifying --200 with userId--------> finish
/// identifying --any other answer-------> the code of LiferayAnswer
/// ```
struct LiferayOAuth2Verification<Grant: LiferayOAuth2Grant>: Authenticator {
  private enum State {
    case ready
    case identifying
    case ended
  }

  private var state = State.ready
  private let proof: LiferayOAuth2Proof<Grant>

  init(_ proof: LiferayOAuth2Proof<Grant>) {
    self.proof = proof
  }

  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch (state, Answer(input)) {
    case (.ready, .begun):
      state = .identifying
      return .send(try proof.login.identification(proof.tokens))
    case (.identifying, .reply(_, let reply)):
      state = .ended
      let user = try proof.login.user(in: reply, .verification)
      return .finish(
        Outcome(
          person: user.person(at: proof.login.portal, loginName: proof.person.loginName),
          evidence: .identity, attributes: user.attributes, proof: proof, jar: CookieJar()))
    case (.identifying, .missing(let failure)):
      throw failure.error
    case (.ready, .reply), (.ready, .missing), (.identifying, .begun), (_, .redirected),
      (.ended, _):
      throw .loginOutOfOrder
    }
  }
}
