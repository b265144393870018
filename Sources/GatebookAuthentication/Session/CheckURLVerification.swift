internal import GatebookEvents

/// Proves with the check URL that a session still lives; no password is typed, nobody is asked.
///
/// ```
/// ready    --start----------------------> checking    GET the check URL, authorised by the proof
/// checking --2xx------------------------> finish
/// checking --the proof is corrected-----> checking    once more, with the corrected proof
/// checking --401, to the login page-----> session.refused
/// checking --403------------------------> session.refused where that is how the check URL refuses
///                                         a stranger, else server.refused
/// checking --other redirect-------------> server.moved
/// checking --404 405 410 415------------> configuration.invalid
/// checking --408 425 429 5xx------------> server.unavailable
/// checking --other----------------------> server.refused
/// ```
struct CheckURLVerification: ReplyAuthenticator {
  var turn = Turn<Self>.ready
  private let url: HTTPURL
  private let person: Person
  private var proof: any SessionProof
  private var jar: CookieJar
  private let isForbiddenToStrangers: Bool
  /// Why the ID token of a refresh counts for nothing.
  var refusedIDToken: String?

  /// Makes the verification.
  ///
  /// - Parameters:
  ///   - url: The check URL.
  ///   - person: Who logged in.
  ///   - proof: What authorises the request.
  ///   - jar: The account's cookies.
  ///   - isForbiddenToStrangers: Whether a 403 can mean that nobody is logged in. Where the server
  ///     asked by a 401 or by its login page it means something else, and ends no session.
  init(
    _ url: HTTPURL, person: Person, proof: any SessionProof, jar: CookieJar,
    isForbiddenToStrangers: Bool
  ) {
    self.isForbiddenToStrangers = isForbiddenToStrangers
    self.url = url
    self.person = person
    self.proof = proof
    self.jar = jar
  }

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    check(input, isCorrected: false)
  }

  private mutating func check(_ input: Input, isCorrected: Bool) -> Step {
    var question = HTTPRequest.get(url)
    question.limits = .login
    let request = proof.authorise(question, jar: jar, at: input.moment, random: input.random)
    return send(request) { try $0.checked($1, request, isCorrected: isCorrected) }
  }

  private mutating func checked(
    _ arrival: Arrival, _ request: HTTPRequest, isCorrected: Bool
  ) throws(GatebookError) -> Step {
    let reply = arrival.reply
    switch proof.judge(reply, to: request) {
    case .unaffected: break
    case .corrected(let record):
      guard !isCorrected,
        let corrected = SessionProofs.decode(method: type(of: proof).method, record: record)
      else { break }
      proof = corrected
      return check(arrival.input, isCorrected: true)
    case .authorityLost:
      throw .sessionRefused(status: reply.status, serverCode: reply.refusalCode)
    }
    try accept(arrival.status, reply)
    proof = proof.tokenBearing?.learning(from: reply, to: request) ?? proof
    jar.take(arrival, from: url)
    var outcome = Outcome(
      person: person, evidence: .check, attributes: UserAttributes(), proof: proof, jar: jar)
    outcome.refusedIDToken = refusedIDToken
    return .finish(outcome)
  }

  private func accept(_ status: StatusClass, _ reply: HTTPReply) throws(GatebookError) {
    switch status {
    case .accepted: return
    case .unauthorised:
      throw OAuth1Problem.refusal(reply, by: url)
        ?? .sessionRefused(status: reply.status, serverCode: reply.refusalCode)
    case .forbidden where isForbiddenToStrangers: throw .sessionRefused(status: reply.status)
    case .redirected, .forbidden, .misplaced, .unavailable, .refused:
      throw .answered(reply, at: url, setting: "checkURL")
    }
  }
}

/// Proves a login whose server names nobody: a URL that refuses strangers and answers 2xx to a
/// valid token (rule 7).
struct CheckURL {
  /// What people call it.
  static let name = "the check URL"

  private let url: HTTPURL

  init(_ url: HTTPURL) {
    self.url = url
  }

  /// Judges the answer to a request without a token, which must be a refusal.
  ///
  /// - Returns: Whether it refuses with a 403: then one can mean later that nobody is logged in.
  /// - Throws: `login.unprovable` if anybody may read it; `configuration.invalid`,
  ///   `server.unavailable` or `server.refused` for what is no refusal.
  func strangerIsForbidden(
    _ status: StatusClass, _ reply: HTTPReply
  ) throws(GatebookError) -> Bool {
    switch status {
    case .forbidden: return true
    case .unauthorised, .redirected: return false
    case .refused where reply.status == 400: return false
    case .accepted:
      throw .unprovable(
        .proofPublic, of: Self.name,
        remedy: "Give a check URL that only logged-in users can read.",
        status: reply.status)
    case .misplaced, .unavailable, .refused:
      throw .answered(reply, at: url, setting: "checkURL")
    }
  }

  /// Judges the answer to a request with the new token, which must be 2xx.
  ///
  /// - Throws: `server.unavailable`, else `login.unprovable`.
  func checkHolder(_ status: StatusClass, _ reply: HTTPReply) throws(GatebookError) {
    switch status {
    case .accepted: return
    case .unavailable: throw .unavailable(reply, at: url)
    case .redirected, .unauthorised, .forbidden, .misplaced, .refused:
      throw .unprovable(
        .proofRefused, of: Self.name,
        remedy: "Give a check URL that answers 2xx to logged-in users.",
        status: reply.status)
    }
  }
}
