internal import GatebookEvents

/// Logs in to a portal with HTTP Basic: reads the user's own record, there is no login endpoint.
///
/// ```
/// ready       --start, company id known-----> identifying  batch: the user's record, the caller
/// ready       --start, company id 0---------> learning     the caller's sites
/// learning    --sites-----------------------> identifying  batch, with the first site's company id
/// learning    --no site---------------------> configuration.invalid
/// identifying --record with userId----------> finish
/// identifying --record without userId-------> content.unexpected
/// identifying --another caller than the user> identity.mismatch
/// either      --any other answer------------> the code of LiferayAnswer
/// either      --no answer-------------------> the transport's code
/// ```
struct LiferayBasicAuthenticator: ReplyAuthenticator {
  var turn = Turn<Self>.ready
  private var login: LiferayBasicLogin
  private let purpose: LiferayPurpose

  init(_ login: LiferayBasicLogin, purpose: LiferayPurpose = .basicLogin) {
    self.login = login
    self.purpose = purpose
  }

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    try login.check()
    guard login.user.needsCompanyID, login.portal.companyID == 0 else { return try identify() }
    return send(try request([.sites])) { try $0.learned($1.reply) }
  }

  private mutating func learned(_ reply: HTTPReply) throws(GatebookError) -> Step {
    login.portal.companyID = try companyID(in: results(of: reply), reply)
    return try identify()
  }

  private mutating func identify() throws(GatebookError) -> Step {
    var commands = [login.user.command(companyID: login.portal.companyID)]
    if login.verifiesIdentity { commands.append(.currentUser(login.portal.version)) }
    return send(try request(commands)) { .finish(try $0.outcome($1.reply)) }
  }

  private func request(_ commands: [LiferayCommand]) throws(GatebookError) -> HTTPRequest {
    login.authorise(try LiferayCommand.request(commands, to: login.portal))
  }

  private func results(of reply: HTTPReply) throws(GatebookError) -> [FactValue] {
    try LiferayAnswer.results(of: reply, purpose, login.portal)
  }

  private func companyID(
    in results: [FactValue], _ reply: HTTPReply
  ) throws(GatebookError) -> Int64 {
    let site = results.first?.list?.first?.object
    guard let companyID = site?["companyId"].flatMap(LiferayNumber.read), companyID > 0 else {
      throw .atLogin(
        .configurationInvalid, "Setting `companyId`: the portal's answer does not contain it.",
        remedy: "Give the company id of the portal instance.", status: reply.status)
    }
    return companyID
  }

  private func outcome(_ reply: HTTPReply) throws(GatebookError) -> Outcome {
    let results = try results(of: reply)
    let user = try LiferayUserRecord(results.first, status: reply.status)
    if login.verifiesIdentity {
      let caller = try LiferayUserRecord(results.dropFirst().first, status: reply.status)
      guard caller.userID == user.userID else {
        throw .atLogin(
          .identityMismatch, "The portal logged in another user than the one named.",
          remedy: "Log in with the user's own name and password.", status: reply.status)
      }
    }
    return Outcome(
      person: user.person(at: login.portal, loginName: login.user.name),
      evidence: login.verifiesIdentity ? .identity : .ownRecord, attributes: user.attributes,
      proof: LiferayBasicProof(login))
  }
}
