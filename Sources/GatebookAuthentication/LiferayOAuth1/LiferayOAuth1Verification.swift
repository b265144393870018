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
