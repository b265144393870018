internal import GatebookEvents

/// Logs in with OAuth 1.0a and proves it by the check URL.
///
/// ```
/// ready    --start---------------------------> probing   GET the check URL without a signature
/// probing  --400, 401, 403, redirect---------> shaking   the handshake's first step
/// probing  --2xx-----------------------------> login.unprovable
/// probing  --404 405 410 415-----------------> configuration.invalid
/// probing  --408 425 429 5xx-----------------> server.unavailable
/// probing  --other---------------------------> server.refused
/// shaking  --answers, the redirect-----------> as in OAuth1Handshake
/// shaking  --token granted-------------------> checking  GET the check URL, signed
/// checking --2xx-----------------------------> finish
/// checking --timestamp refused, first time---> checking  signed anew by the server's clock
/// checking --408 425 429 5xx-----------------> server.unavailable
/// checking --other---------------------------> login.unprovable
/// all      --no answer-----------------------> the transport's code
/// ```
struct OAuth1Authenticator: OAuth1Handshake {
  /// Frozen: it is stored in events.
  static let method = OAuth1Proof.method

  var turn = Turn<Self>.ready
  var visit: OAuth1Visit?
  private let login: OAuth1Login
  private let target: OAuth1Target
  private var isForbiddenToStrangers = false

  init(_ login: OAuth1Login, _ target: OAuth1Target) {
    self.login = login
    self.target = target
  }

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    try login.check()
    try target.check()
    return send(HTTPRequest("GET", target.checkURL, limits: .login)) { try $0.probed($1) }
  }

  private mutating func probed(_ arrival: Arrival) throws(GatebookError) -> Step {
    isForbiddenToStrangers = try CheckURL(target.checkURL)
      .strangerIsForbidden(arrival.status, arrival.reply)
    return try shake(login, arrival.input)
  }

  mutating func granted(
    _ session: OAuth1Session, _ input: Input
  ) throws(GatebookError) -> Step {
    let request = HTTPRequest("GET", target.checkURL, limits: .login)
    return try send(OAuth1Exchange(request, signedBy: session), input) {
      try $0.checked($1, session, $2)
    }
  }

  private func checked(
    _ arrival: Arrival, _ session: OAuth1Session, _ clock: OAuth1Clock
  ) throws(GatebookError) -> Step {
    try CheckURL(target.checkURL).checkHolder(arrival.status, arrival.reply)
    var session = session
    session.clock = clock
    let proof = OAuth1Proof(session, target, isForbiddenToStrangers: isForbiddenToStrangers)
    return .finish(
      Outcome(person: target.person(of: session.consumer), evidence: .check, proof: proof))
  }
}

extension OAuth1Authenticator: StoredRecord {
  /// The machine that waits for its redirect.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    isForbiddenToStrangers = try facts.required("forbidden", kept?.isForbiddenToStrangers)
    let visit = try facts.required("handshake", kept?.visit)
    login = try facts.required("login", kept?.login)
    target = try facts.required("target", kept?.target)
    wait(for: visit, by: login)
  }
}
