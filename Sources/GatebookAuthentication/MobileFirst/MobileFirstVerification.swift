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
    let scope = AuthorizationScope(proof.check)
    let request = MobileFirstRequests(app: proof.registration.app).preauthorize(
      clientID: proof.registration.clientID, scope: scope, answers: [:])
    return send(request.carrying(jar, at: input.moment)) {
      $0.jar.take($1, from: request.url)
      return .finish(try $0.outcome($1.reply, from: request.url, for: scope))
    }
  }

  private func outcome(
    _ reply: HTTPReply, from url: HTTPURL, for scope: AuthorizationScope
  ) throws(GatebookError) -> Outcome {
    switch try PreauthorizeAnswer(reply, from: url, for: scope) {
    case .passed(let checks):
      guard
        let user = checks.successes[proof.check]?.object?["user"]
          .flatMap({ AuthenticatedUser($0) })
      else { throw .unprovable(.proofNobody, remedy: "Log in again.", status: reply.status) }
      return Outcome(
        person: proof.registration.app.person(user.id, loginName: user.id), evidence: .identity,
        attributes: user.userAttributes, proof: proof, jar: jar)
    case .challenged(let checks): throw .unhandled(checks.challenges.names)
    case .failed(let checks): throw .blocked(checks.failures.names, status: reply.status)
    case .unknownClient: throw .unknownClient(status: reply.status)
    case .conflicting: throw MobileFirstRefusal(nil).error(reply, from: url)
    }
  }
}
