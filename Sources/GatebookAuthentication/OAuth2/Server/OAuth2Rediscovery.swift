internal import GatebookEvents

/// Finds out whether a session's server is where it was, before anything is used up there.
///
/// ```
/// ready  --start--> asking   as in Discovery; its failures change nothing
/// asking --done---> finish   with what is known, if that is not fit for use
/// ```
struct OAuth2Rediscovery<Kind: OAuth2Kind>: OAuth2Machine {
  var turn = Turn<Self>.ready
  var login: OAuth2Login
  private let proof: OAuth2Proof<Kind>
  private let issuer: Issuer

  init(_ proof: OAuth2Proof<Kind>, at issuer: Issuer) {
    login = proof.login
    self.proof = proof
    self.issuer = issuer
  }

  mutating func begin(_ input: Input) -> Step {
    discover(by: Discovery(issuer, lastGood: login.metadata), input) { machine, metadata, _, _ in
      machine.login.take(metadata)
      return .finish(machine.outcome)
    }
  }

  private var outcome: Outcome {
    var outcome = Outcome(
      person: proof.person, evidence: .session, proof: proof.knowing(login))
    outcome.changedEndpoints = login.endpoints.changes(from: proof.login.endpoints)
    return outcome
  }
}
