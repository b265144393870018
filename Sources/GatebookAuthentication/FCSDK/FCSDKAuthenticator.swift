internal import GatebookCrypto
internal import GatebookEvents

/// Logs in to the web application of a Fusion client gateway, which answers with a session.
///
/// ```
/// ready   --start----------------------------> sending  POST name and password, sent once
/// sending --2xx with sessionid---------------> finish
/// sending --2xx without it, or no JSON-------> content.unexpected
/// sending --401, any body--------------------> credentials.refused
/// sending --301 302 303 307 308--------------> server.moved
/// sending --404 405 410----------------------> configuration.invalid
/// sending --429, 500 and above---------------> server.unavailable
/// sending --other----------------------------> server.refused
/// sending --no answer------------------------> the transport's code
/// ```
///
/// Each login makes a new session; whether the server ends older ones is its own affair.
struct FCSDKAuthenticator: ReplyAuthenticator {
  var turn = Turn<Self>.ready
  private let login: FCSDKLogin

  init(_ login: FCSDKLogin) {
    self.login = login
  }

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    try login.check()
    return send(login.request) { .finish(try $0.outcome($1)) }
  }

  private var url: HTTPURL { login.gateway.loginURL }

  /// Looks at the status, before the body.
  private func accept(_ reply: HTTPReply) throws(GatebookError) {
    // Other than by `StatusClass`: 408, 415 and 425 are refusals like any other of 400 to 499.
    switch reply.status {
    case 200...299: return
    case 301, 302, 303, 307, 308: throw .moved(reply, from: url)
    case 401: throw .credentialsRefused(status: reply.status)
    case 404, 405, 410: throw .misplaced(reply, at: url, setting: "path")
    case 429, 500...: throw .unavailable(reply, at: url)
    default: throw .refused(reply, by: url)
    }
  }

  private func outcome(_ arrival: Arrival) throws(GatebookError) -> Outcome {
    let reply = arrival.reply
    try accept(reply)
    guard let answer = FCSDKAnswer(reply.body, password: login.password ?? Secret("")) else {
      throw .unexpected(
        "The server accepted the login, but its answer does not name a session.",
        remedy: "Check the path of the login.", status: reply.status)
    }
    var jar = CookieJar()
    if login.gateway.useCookies { jar.take(arrival, from: url) }
    var outcome = Outcome(
      person: login.person, evidence: answer.namesUser ? .identity : .session,
      attributes: answer.attributes,
      proof: FCSDKProof(login, sessionID: answer.sessionID), jar: jar)
    outcome.credentials = FCSDKProof(login, sessionID: answer.sessionID, keepsPassword: true)
    outcome.fingerprints = ["sessionRef": answer.sessionID]
    return outcome
  }
}
