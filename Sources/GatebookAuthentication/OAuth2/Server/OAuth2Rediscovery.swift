internal import GatebookEvents

/// Finds out whether a session's server is where it was, before anything is used up there.
///
/// ```
/// ready  --start--> asking   as in Discovery; its failures change nothing
/// asking --done---> finish   with what is known, if that is not fit for use
/// ```
struct OAuth2Rediscovery<Kind: OAuth2Kind>: Authenticator {
  private enum State {
    case ready(Issuer)
    case asking(Discovery)
    case ended
  }

  private var state: State
  private let proof: OAuth2Proof<Kind>

  init(_ proof: OAuth2Proof<Kind>, at issuer: Issuer) {
    self.proof = proof
    state = .ready(issuer)
  }

  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch state {
    case .ready(let issuer):
      guard case .begun = Answer(input) else { throw .loginOutOfOrder }
      var discovery = Discovery(issuer, lastGood: proof.login.metadata)
      let step = discovery.begin(input)
      state = .asking(discovery)
      return step
    case .asking(var discovery):
      switch try discovery.next(input) {
      case .step(let step):
        state = .asking(discovery)
        return step
      case .done(let metadata):
        state = .ended
        return .finish(outcome(metadata))
      }
    case .ended: throw .loginOutOfOrder
    }
  }

  private func outcome(_ metadata: ServerMetadata) -> Outcome {
    var login = proof.login
    login.take(metadata)
    var outcome = Outcome(
      person: proof.person, evidence: .session, attributes: UserAttributes(),
      proof: proof.knowing(login), jar: CookieJar())
    outcome.changedEndpoints = login.endpoints.changes(from: proof.login.endpoints)
    return outcome
  }
}
