internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents

extension SessionProof {
  /// The request with this session's authority; every random byte is 7.
  func authorise(_ request: HTTPRequest, jar: CookieJar, at moment: Moment) -> HTTPRequest {
    authorise(request, jar: jar, at: moment, random: [UInt8](repeating: 7, count: 64))
  }
}

/// What tests ask of any session: one that cannot do a thing answers as its users take it.
extension SessionProof {
  func renewal(jar: CookieJar) -> (any Authenticator)? { renewable?.renewal(jar: jar) }

  func needsRenewal(atAge age: Duration) -> Bool {
    renewable?.needsRenewal(atAge: age) ?? false
  }

  func isRenewalUrgent(atAge age: Duration) -> Bool {
    renewable?.isRenewalUrgent(atAge: age) ?? false
  }

  func isUsable(atAge age: Duration) -> Bool {
    renewable?.isUsable(atAge: age) ?? false
  }

  func preparation(at moment: Moment) -> (any Authenticator)? {
    renewable?.preparation(at: moment)
  }

  func logOut(jar: CookieJar, at moment: Moment) -> [HTTPRequest] {
    logoutCapable?.logOut(jar: jar, at: moment) ?? []
  }

  func hasEnded(_ reply: HTTPReply) -> Bool { logoutCapable?.hasEnded(reply) ?? true }

  func endSessionPage(redirectURI: String?, state: String?, namesPerson: Bool) -> HTTPURL? {
    logoutCapable?.endSessionPage(
      redirectURI: redirectURI, state: state, namesPerson: namesPerson)
  }

  func bearer(since renewed: Timestamp) -> BearerToken? { tokenBearing?.bearer(since: renewed) }

  var fingerprinted: Secret? { tokenBearing.map { (proof) -> Secret in proof.fingerprinted } }

  var missingScopes: [String] { tokenBearing?.missingScopes ?? [] }

  func learning(from reply: HTTPReply, to request: HTTPRequest) -> (any SessionProof)? {
    // With a type of its own: else this function would call itself.
    func learn<Proof: TokenBearing>(_ proof: Proof) -> Proof? {
      proof.learning(from: reply, to: request)
    }
    return tokenBearing.flatMap { learn($0) }
  }

  func demand(in reply: HTTPReply) -> StepUp? { stepUpCapable?.demand(in: reply) }

  func stepUp(to demand: StepUp, redirectURI: String) throws(GatebookError) -> LoginMethod {
    try strongerLogin(for: demand, redirectURI: redirectURI)
  }
}
