internal import GatebookEvents

/// Asks a MobileFirst server whether the check of a session still holds; nothing is answered.
///
/// ```
/// ready    --start--------------------> asking     POST preauthorize without answers
/// asking   --200 with the user--------> finish
/// asking   --200 without a user-------> login.unprovable
/// asking   --401 MFP-Challenge--------> challenge.unhandled, the session is kept
/// asking   --403 with failures--------> challenge.blocked, the session is kept
/// asking   --anything else------------> its own failure
/// ```
struct MobileFirstVerification: ReplyAuthenticator {
  var turn = Turn<Self>.ready
  private let proof: MobileFirstProof
  private var jar: CookieJar

  init(_ proof: MobileFirstProof, jar: CookieJar) {
    self.proof = proof
    self.jar = jar
  }

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    let request = MobileFirstRequests(app: proof.registration.app).preauthorize(
      clientID: proof.registration.clientID, scope: AuthorizationScope(proof.check), answers: [:])
    return send(request.carrying(jar, at: input.moment)) {
      $0.jar.take($1, from: request.url)
      return .finish(try $0.outcome(PreauthorizeAnswer($1.reply, from: request.url), $1.reply))
    }
  }

  private func outcome(
    _ answer: PreauthorizeAnswer, _ reply: HTTPReply
  ) throws(GatebookError) -> Outcome {
    switch answer {
    case .passed(let checks):
      guard
        let user = checks.successes[proof.check]?.object?["user"]
          .flatMap({ AuthenticatedUser($0) })
      else {
        throw .unprovable(
          .proofNobody, remedy: "Log in again.", status: reply.status)
      }
      return Outcome(
        person: proof.registration.app.person(user.id, loginName: user.id), evidence: .identity,
        attributes: user.userAttributes, proof: proof, jar: jar)
    case .challenged(let checks): throw .unhandled(checks.challenges.names)
    case .failed(let checks): throw .blocked(checks.failures.names, status: reply.status)
    case .unknownClient: throw .unknownClient(status: reply.status)
    case .unknownScope:
      throw .unknownScope(AuthorizationScope(proof.check), status: reply.status)
    case .conflicting:
      throw MobileFirstRefusal(nil).error(
        reply, from: proof.registration.app.url("preauth/v1/preauthorize"))
    case .other(let error): throw error
    }
  }
}
