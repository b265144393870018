internal import GatebookEvents

/// Proves that a portal still takes a session's token.
///
/// ```
/// ready       --start------------------------> identifying get-current-user, signed
/// identifying --200 with userId--------------> finish
/// identifying --timestamp refused, first time> identifying signed anew by the server's clock
/// identifying --401, a guest's answer--------> session.refused
/// identifying --any other answer-------------> the code of LiferayAnswer
/// identifying --no answer--------------------> the transport's code
/// ```
struct LiferayOAuth1Verification: Authenticator {
  private enum State {
    case ready
    case identifying(LiferayOAuth1Identity)
    case ended
  }

  private var state = State.ready
  private let portal: LiferayPortal
  private let session: OAuth1Session
  private let jar: CookieJar

  init(_ portal: LiferayPortal, _ session: OAuth1Session, jar: CookieJar) {
    self.portal = portal
    self.session = session
    self.jar = jar
  }

  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch (state, Answer(input)) {
    case (.ready, .begun):
      let identity = try LiferayOAuth1Identity(portal, session, jar: jar)
      state = .identifying(identity)
      return .send(try identity.request(input))
    case (.identifying(var identity), .reply(_, let reply)):
      let step = try identity.receive(reply, input, .verification)
      state = .identifying(identity)
      if case .finish = step { state = .ended }
      return step
    case (.identifying, .missing(let failure)):
      throw failure.error
    case (.ready, .reply), (.ready, .missing), (.identifying, .begun), (_, .redirected),
      (.ended, _):
      throw .loginOutOfOrder
    }
  }
}

/// Asks a portal for whom it takes a token's owner: the end of a login, and the proof of a session.
struct LiferayOAuth1Identity: Sendable {
  private let portal: LiferayPortal
  private var session: OAuth1Session
  private var exchange: OAuth1Exchange
  private let jar: CookieJar

  /// Prepares the question.
  ///
  /// - Throws: `configuration.invalid` for a server URL with a query.
  init(
    _ portal: LiferayPortal, _ session: OAuth1Session, jar: CookieJar
  ) throws(GatebookError) {
    self.portal = portal
    self.session = session
    self.jar = jar
    exchange = OAuth1Exchange(
      try LiferayCommand.request([.currentUser(portal.version)], to: portal), signedBy: session)
  }

  /// The signed question.
  ///
  /// - Throws: What the signer throws.
  func request(_ input: Input) throws(GatebookError) -> HTTPRequest {
    try exchange.signed(input)
  }

  /// The end, or the question once more by the server's clock.
  ///
  /// - Throws: The code of LiferayAnswer.
  mutating func receive(
    _ reply: HTTPReply, _ input: Input, _ purpose: LiferayPurpose
  ) throws(GatebookError) -> Step {
    if let again = try exchange.again(after: reply, input) { return .send(again) }
    session.clock = exchange.clock
    if purpose == .verification, reply.status == 401,
      let error = OAuth1Problem.refusal(reply, by: portal.server)
    {
      throw error
    }
    let answer = LiferayAnswer(reply)
    guard case .results(let results) = answer else {
      throw answer.error(reply, purpose, portal)
    }
    let user = try LiferayUserRecord(results.first, status: reply.status)
    return .finish(
      Outcome(
        person: user.person(at: portal, loginName: ""), evidence: .identity,
        attributes: user.attributes, proof: LiferayOAuth1Proof(portal, session), jar: jar))
  }
}
