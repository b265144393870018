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
struct HTTPAuthenticator: Authenticator {
  /// What the machine is for.
  enum Purpose {
    /// A first login: with a password, and without cookies.
    case login
    /// Proves a session, which stays as it is.
    case verification(HTTPProof, CookieJar)
  }

  private enum State {
    case ready
    case asking(HTTPAttempt)
    case proving(HTTPAttempt)
    case ended
  }

  private var state = State.ready
  private let login: HTTPLogin
  private let purpose: Purpose
  private var authorizer: HTTPAuthorizer

  init(_ login: HTTPLogin, _ authorizer: HTTPAuthorizer, _ purpose: Purpose) {
    self.login = login
    self.authorizer = authorizer
    self.purpose = purpose
  }

  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch (state, Answer(input)) {
    case (.ready, .begun):
      try login.check()
      return send(authorizer.authorise(request(at: input.moment), random: input.random))
    case (.asking(let attempt), .reply(let status, let reply)),
      (.proving(let attempt), .reply(let status, let reply)):
      return try take(status, reply, to: attempt, input)
    case (.asking, .missing(let failure)), (.proving, .missing(let failure)):
      throw failure.error
    case (.ready, .reply), (.ready, .missing), (.asking, .begun), (.proving, .begun),
      (_, .redirected), (.ended, _):
      throw .loginOutOfOrder
    }
  }

  private func request(at moment: Moment) -> HTTPRequest {
    let request = HTTPRequest("GET", login.url, limits: .login)
    guard case .verification(_, let jar) = purpose else { return request }
    return request.carrying(jar, at: moment)
  }

  /// A wrong password must not be counted twice: it goes over a fresh connection, exactly once.
  private mutating func send(_ attempt: HTTPAttempt) -> Step {
    state = attempt.isAnswer ? .proving(attempt) : .asking(attempt)
    var request = attempt.request
    if attempt.isAnswer { request.isRepeatable = false }
    return .send(request)
  }

  private mutating func take(
    _ status: StatusClass, _ reply: HTTPReply, to attempt: HTTPAttempt, _ input: Input
  ) throws(GatebookError) -> Step {
    switch authorizer.receive(reply, to: attempt, random: input.random) {
    case .resend(let next): return send(next)
    case .unhandled: throw HTTPChallenge.unhandled(reply, after: authorizer.floor)
    case .untrusted: throw .untrusted(reply)
    case .refused: throw refused(reply)
    case .stale: throw .refused(reply, by: login.url)
    case .final: return try settle(status, reply, isAnswer: attempt.isAnswer, input)
    }
  }

  private mutating func settle(
    _ status: StatusClass, _ reply: HTTPReply, isAnswer: Bool, _ input: Input
  ) throws(GatebookError) -> Step {
    switch status {
    case .accepted where isAnswer:
      state = .ended
      return .finish(outcome(reply, input))
    case .accepted:
      throw .unprovable(
        .proofPublic, of: "the URL", remedy: "Give a URL that asks for a name and a password.",
        status: reply.status)
    case .forbidden where isAnswer && isLogin: throw refused(reply)
    case .redirected, .unauthorised, .forbidden, .misplaced, .unavailable, .refused:
      throw .answered(reply, at: login.url, setting: "url")
    }
  }

  private var isLogin: Bool {
    if case .login = purpose { true } else { false }
  }

  private func refused(_ reply: HTTPReply) -> GatebookError {
    isLogin
      ? .credentialsRefused(status: reply.status) : .sessionRefused(status: reply.status)
  }

  private func outcome(_ reply: HTTPReply, _ input: Input) -> Outcome {
    var (proof, jar) =
      switch purpose {
      case .login: (proof, CookieJar())
      case .verification(let proof, let jar): (proof, jar)
      }
    _ = jar.receive(reply, from: login.url, at: input.moment.wall, suffixes: input.suffixes)
    return Outcome(
      person: login.person, evidence: .check, attributes: UserAttributes(), proof: proof, jar: jar)
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
