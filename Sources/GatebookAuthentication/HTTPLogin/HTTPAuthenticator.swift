internal import GatebookEvents

/// Logs in with HTTP authentication, or proves that a session still lives: the check URL refuses
/// without credentials and accepts with them.
///
/// ```
/// ready    --start----------------------> asking      GET without credentials
/// ready    --start, kept Basic----------> proving     GET with credentials
/// asking   --401 that can be answered---> proving     GET with credentials, sent once
/// asking   --any other 401--------------> challenge.unhandled
/// asking   --2xx------------------------> login.unprovable
/// asking   --403------------------------> server.refused
/// proving  --2xx------------------------> finish
/// proving  --401, nonce too old---------> proving     GET with the server's new nonce, once
/// proving  --401, too old once more-----> server.refused
/// proving  --401, to Basic by Digest----> proving     GET with Digest, once
/// proving  --401, other realm, weaker---> challenge.unhandled
/// proving  --401------------------------> credentials.refused; of a session, session.refused
/// proving  --403------------------------> credentials.refused; of a session, server.refused
/// proving  --wrong rspauth--------------> identity.mismatch, whatever the status
/// either   --301 302 303 307 308--------> server.moved
/// either   --404 405 410 415------------> configuration.invalid
/// either   --408 425 429 5xx------------> server.unavailable
/// either   --other----------------------> server.refused
/// either   --no answer------------------> the transport's code
/// ```
///
/// A session that answers by Digest begins at `asking` like a login: what is kept has no nonce.
struct HTTPAuthenticator: ReplyAuthenticator {
  var turn = Turn<Self>.ready
  private let login: HTTPLogin
  private var authorizer: HTTPAuthorizer
  /// The session that is proven, and stays as it is; `nil` for a first login: with a password, and
  /// without cookies.
  private let session: HTTPProof?
  private var jar: CookieJar

  init(
    _ login: HTTPLogin, _ authorizer: HTTPAuthorizer, proving session: HTTPProof? = nil,
    jar: CookieJar = CookieJar()
  ) {
    self.login = login
    self.authorizer = authorizer
    self.session = session
    self.jar = jar
  }

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    try login.check()
    let request = HTTPRequest("GET", login.url, limits: .login).carrying(jar, at: input.moment)
    return send(authorizer.authorise(request, random: input.random))
  }

  /// A wrong password must not be counted twice: it goes over a fresh connection, exactly once.
  private mutating func send(_ attempt: HTTPAttempt) -> Step {
    var request = attempt.request
    if attempt.isAnswer { request.isRepeatable = false }
    return send(request) { try $0.take($1, to: attempt) }
  }

  private mutating func take(
    _ arrival: Arrival, to attempt: HTTPAttempt
  ) throws(GatebookError) -> Step {
    let reply = arrival.reply
    switch authorizer.receive(reply, to: attempt, random: arrival.input.random) {
    case .resend(let next): return send(next)
    case .unhandled: throw HTTPChallenge.unhandled(reply, after: authorizer.floor)
    case .untrusted: throw .untrusted(reply)
    case .refused: throw refused(reply)
    case .stale: throw .refused(reply, by: login.url)
    case .final: break
    }
    switch arrival.status {
    case .accepted where attempt.isAnswer:
      jar.take(arrival, from: login.url)
      return .finish(
        Outcome(person: login.person, evidence: .check, proof: session ?? proof, jar: jar))
    case .accepted:
      throw .unprovable(
        .proofPublic, of: "the URL", remedy: "Give a URL that asks for a name and a password.",
        status: reply.status)
    case .forbidden where attempt.isAnswer && session == nil: throw refused(reply)
    case .redirected, .unauthorised, .forbidden, .misplaced, .unavailable, .refused:
      throw .answered(reply, at: login.url, setting: "url")
    }
  }

  private func refused(_ reply: HTTPReply) -> GatebookError {
    session == nil
      ? .credentialsRefused(status: reply.status) : .sessionRefused(status: reply.status)
  }

  /// What a session keeps: the password only if the server wants it with every request.
  private var proof: HTTPProof {
    var login = login
    let realm = authorizer.realm ?? ""
    if let hash = authorizer.digestHash {
      login.credential = login.credential.kept(realm: realm, from: hash)
    }
    return HTTPProof(login, realm: realm)
  }
}
