internal import GatebookEvents

/// Logs in to a portal with OAuth 1.0a, and asks it for whom it takes the token's owner.
///
/// ```
/// ready       --start------------------------> shaking     the handshake's first step
/// shaking     --answers, the redirect--------> as in OAuth1Handshake
/// shaking     --token granted----------------> identifying get-current-user, signed
/// identifying --200 with userId--------------> finish
/// identifying --timestamp refused, first time> identifying signed anew by the server's clock
/// identifying --401, a guest's answer--------> token.refused
/// identifying --any other answer-------------> the code of LiferayAnswer
/// all         --no answer--------------------> the transport's code
/// ```
struct LiferayOAuth1Authenticator: RedirectAuthenticator {
  /// Frozen: it is stored in events.
  static let method = LiferayOAuth1Proof.method

  private enum State {
    case ready
    case shaking(OAuth1Handshake)
    case identifying(LiferayOAuth1Identity)
    case ended
  }

  private var state = State.ready
  private let login: LiferayOAuth1Login

  private var handshake: OAuth1Handshake? {
    if case .shaking(let handshake) = state { handshake } else { nil }
  }

  init(_ login: LiferayOAuth1Login) {
    self.login = login
  }

  /// Takes one input and says what to do next.
  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch (state, Answer(input)) {
    case (.ready, .begun):
      var handshake = OAuth1Handshake(try login.oauth())
      let step = try handshake.begin(input)
      state = .shaking(handshake)
      return step
    case (.shaking(var handshake), .reply(let status, let reply)):
      let move = try handshake.receive(status, reply, input)
      state = .shaking(handshake)
      switch move {
      case .step(let step): return step
      case .granted(let session): return try identify(session, input)
      }
    case (.shaking(var handshake), .redirected(let fields)):
      let step = try handshake.arrive(fields, input)
      state = .shaking(handshake)
      return step
    case (.identifying(var identity), .reply(_, let reply)):
      let step = try identity.receive(reply, input, .tokenLogin)
      state = .identifying(identity)
      if case .finish = step { state = .ended }
      return step
    case (.shaking, .missing(let failure)), (.identifying, .missing(let failure)):
      throw failure.error
    case (.ready, .reply), (.ready, .missing), (.ready, .redirected), (.shaking, .begun),
      (.identifying, .begun), (.identifying, .redirected), (.ended, _):
      throw .loginOutOfOrder
    }
  }

  private mutating func identify(
    _ session: OAuth1Session, _ input: Input
  ) throws(GatebookError) -> Step {
    let identity = try LiferayOAuth1Identity(login.portal, session, jar: CookieJar())
    state = .identifying(identity)
    return .send(try identity.request(input))
  }
}

extension LiferayOAuth1Authenticator: StoredRecord {
  /// The machine that waits for its redirect.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    login = try facts.required("login", kept?.login)
    let record = try facts.required("handshake", kept?.handshake?.record)
    guard let oauth = try? login.oauth(), let handshake = OAuth1Handshake(oauth, record: record)
    else { throw Unreadable() }
    state = .shaking(handshake)
  }
}
