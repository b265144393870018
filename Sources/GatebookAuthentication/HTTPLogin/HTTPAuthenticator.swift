internal import GatebookEvents

/// Logs in with HTTP Basic (RFC 7617): the check URL refuses without credentials and accepts with
/// them.
///
/// ```
/// ready    --start----------------------> asking      GET without credentials
/// asking   --401 with Basic-------------> proving     GET with credentials, sent once
/// asking   --401 without Basic----------> challenge.unhandled
/// asking   --2xx------------------------> login.unprovable
/// asking   --403------------------------> server.refused
/// proving  --2xx------------------------> finish
/// proving  --401, 403-------------------> credentials.refused
/// either   --301 302 303 307 308--------> server.moved
/// either   --404 405 410 415------------> configuration.invalid
/// either   --408 425 429 5xx------------> server.unavailable
/// either   --other----------------------> server.refused
/// either   --no answer------------------> the transport's code
/// ```
struct HTTPAuthenticator: Authenticator {
  private enum State {
    case ready
    case asking
    case proving(realm: String)
    case ended
  }

  private var state = State.ready
  private let login: HTTPLogin

  init(_ login: HTTPLogin) {
    self.login = login
  }

  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch (state, Answer(input)) {
    case (.ready, .begun):
      try checkSettings()
      state = .asking
      return .send(request)
    case (.asking, .reply(.unauthorised, let reply)):
      let realm = try HTTPChallenge.basicRealm(in: reply)
      state = .proving(realm: realm)
      return .send(try credentialed())
    case (.asking, .reply(.accepted, let reply)):
      throw .unprovable(
        "The URL answered \(reply.status) without credentials: anybody may read it.",
        remedy: "Give a URL that asks for a name and a password.", status: reply.status)
    case (.asking, .reply(.forbidden, let reply)):
      throw .refused(reply, by: login.url)
    case (.proving(let realm), .reply(.accepted, let reply)):
      state = .ended
      return .finish(outcome(realm, reply, input))
    case (.proving, .reply(.unauthorised, let reply)), (.proving, .reply(.forbidden, let reply)):
      throw .credentialsRefused(status: reply.status)
    case (.asking, .reply(.redirected, let reply)), (.proving, .reply(.redirected, let reply)):
      throw .moved(reply, from: login.url)
    case (.asking, .reply(.misplaced, let reply)), (.proving, .reply(.misplaced, let reply)):
      throw .misplaced(reply, setting: "url")
    case (.asking, .reply(.unavailable, let reply)), (.proving, .reply(.unavailable, let reply)):
      throw .unavailable(reply, at: login.url)
    case (.asking, .reply(.refused, let reply)), (.proving, .reply(.refused, let reply)):
      throw .refused(reply, by: login.url)
    case (.asking, .missing(let failure)), (.proving, .missing(let failure)):
      throw failure.error
    case (.ready, .reply), (.ready, .missing), (.asking, .begun), (.proving, .begun),
      (_, .redirected), (.ended, _):
      throw .loginOutOfOrder
    }
  }

  private func checkSettings() throws(GatebookError) {
    guard !login.user.isEmpty else {
      throw .setting("user", "it is empty.", remedy: "Give a name.")
    }
    try login.password.checkAsPassword()
    _ = try credentialed()
  }

  private var request: HTTPRequest {
    HTTPRequest("GET", login.url, limits: .login)
  }

  /// A wrong password must not be counted twice: it goes over a fresh connection, exactly once.
  private func credentialed() throws(GatebookError) -> HTTPRequest {
    var request = request.replacing(try login.credentials().field)
    request.isRepeatable = false
    return request
  }

  private func outcome(_ realm: String, _ reply: HTTPReply, _ input: Input) -> Outcome {
    var jar = CookieJar()
    _ = jar.receive(reply, from: login.url, at: input.moment.wall, suffixes: input.suffixes)
    return Outcome(
      person: login.person, evidence: .check, attributes: UserAttributes(),
      proof: HTTPProof(login, realm: realm), jar: jar)
  }
}
