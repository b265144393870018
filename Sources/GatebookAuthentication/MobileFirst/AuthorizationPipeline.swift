package import GatebookCrypto
package import GatebookEvents

/// One flow of a MobileFirst client as a pure state machine: no I/O, no clock, no randomness.
///
/// ```
/// ready         --no registration--------------> keying         make a key pair
/// ready         --other app data---------------> updating       PUT registration
/// ready         --registered-------------------> checking       POST preauthorize
/// keying        --key--------------------------> registering    POST registration
/// registering   --2xx with Location------------> announcing     tell that the client is new
/// updating      --2xx--------------------------> announcing
/// updating      --refused----------------------> rejecting      tell that the client is void
/// announcing    --proceed----------------------> checking
/// rejecting     --proceed----------------------> keying         once; the second time it fails
/// rejecting     --another one's registration---> checking
/// checking      --200--------------------------> passing        tell of successes
/// checking      --401 MFP-Challenge------------> challenged     tell of successes and challenges
/// checking      --403, 222 with failures-------> failing        tell of successes and failures
/// checking      --400 INVALID_CLIENT_ID--------> rejecting
/// checking      --400 INVALID_SCOPE------------> configuration.invalid
/// checking      --409 MFP-Conflict-------------> checking       the same again, at most 7 times
/// challenged    --answers----------------------> checking       the current answers alone
/// failing       --proceed----------------------> challenge.blocked
/// passing       --proceed, a login-------------> finish
/// passing       --proceed, a token-------------> authorising    GET authorization
/// authorising   --302 with code----------------> redeeming      POST token
/// authorising   --302 access_denied------------> scope.missing
/// authorising   --302 invalid_scope------------> configuration.invalid
/// redeeming     --200--------------------------> finish
/// ```
///
/// Source: sections 3 and 6 of the protocol.
package struct AuthorizationPipeline: Sendable {
  /// What a flow is for.
  package enum Goal: Sendable {
    /// A token for a scope.
    case token(AuthorizationScope)
    /// The success of one check, with an answer given beforehand; no token is fetched.
    case login(check: String, ChallengeAnswer)
  }

  /// The machine's input.
  package enum Input: Sendable {
    /// Begin; or: what was told is recorded.
    case proceed
    /// A fresh key pair, and an id for the device.
    case key(RSAKey, deviceID: String)
    /// Somebody else has registered the account's client meanwhile.
    case registration(ClientRegistration)
    /// The answer to the last request.
    case reply(HTTPReply)
    /// The last request brought none.
    case failure(TransportFailure)
    /// The answers to the current challenges, by check; a check without one is left out.
    case answers([String: ChallengeAnswer])
  }

  /// What is to be done next.
  package enum Step: Sendable {
    /// Make a key pair.
    case makeKey
    /// Send this once.
    case send(HTTPRequest)
    /// Record a registration, durably, before it is used.
    case registered(ClientRegistration)
    /// Record that the server does not know this client (any more).
    case rejected(clientID: String)
    /// Record and tell what checks say; if there are challenges, come back with answers.
    case round(CheckRound)
    /// The flow is done; a login brings no token.
    case finish(AccessToken?)
  }

  enum State {
    case ready
    case keying
    case registering(ClientRegistration)
    case updating(ClientRegistration)
    case announcing
    case rejecting
    case checking(conflicts: Int)
    case challenged
    case failing(GatebookError)
    case passing
    case authorizing
    case redeeming
    case ended
  }

  /// The flow's name.
  package let flow: FlowID
  /// The client, as far as there is one.
  package internal(set) var registration: ClientRegistration?
  /// The account's cookies, with those of all answers so far.
  package internal(set) var jar: CookieJar

  let goal: Goal
  let requests: MobileFirstRequests
  let suffixes: (any PublicSuffixes)?
  var state = State.ready
  private var answers: [String: ChallengeAnswer] = [:]
  var answered: Set<String> = []
  var rounds: [String: Int64] = [:]
  private var hasRegistered = false
  var budget: Duration
  var isExcused = false
  var lastRequest: (request: HTTPRequest, moment: Moment)?

  var app: MobileFirstApp { requests.app }

  /// Makes a flow.
  ///
  /// - Parameters:
  ///   - goal: What it is for.
  ///   - flow: Its name.
  ///   - app: The app.
  ///   - registration: The account's client; `nil` when it has to be registered first.
  ///   - jar: The account's cookies.
  ///   - suffixes: Names under which anybody may register a domain.
  package init(
    _ goal: Goal, flow: FlowID, app: MobileFirstApp, registration: ClientRegistration?,
    jar: CookieJar, suffixes: (any PublicSuffixes)?
  ) {
    self.goal = goal
    self.flow = flow
    self.registration = registration
    self.jar = jar
    self.suffixes = suffixes
    requests = MobileFirstRequests(app: app)
    budget = app.loginTimeout
    if case .login(let check, let answer) = goal { answers = [check: answer] }
  }

  var scope: AuthorizationScope {
    switch goal {
    case .token(let scope): scope
    case .login(let check, _): AuthorizationScope(check)
    }
  }

  /// Does not count the time of the request under way: a person was asked on its way.
  package mutating func excuseTime() { isExcused = true }

  /// Takes one input and says what to do next.
  ///
  /// - Throws: The flow failed; the error's code is the one that is recorded.
  package mutating func next(
    _ input: Input, at moment: Moment
  ) throws(GatebookError) -> Step {
    do throws(GatebookError) {
      return try advance(input, at: moment)
    } catch {
      state = .ended
      throw error
    }
  }

  private mutating func advance(
    _ input: Input, at moment: Moment
  ) throws(GatebookError) -> Step {
    switch (state, input) {
    case (.ready, .proceed): return try begin(at: moment)
    case (.keying, .key(let key, let deviceID)):
      let fresh = ClientRegistration(
        clientID: "", key: key, deviceID: deviceID, app: app, offset: registration?.offset ?? 0)
      hasRegistered = true
      state = .registering(fresh)
      return try send(requests.registration(fresh), at: moment)
    case (.announcing, .proceed): return try check(conflicts: 0, at: moment)
    case (.rejecting, .proceed):
      guard !hasRegistered else { throw .unknownClient(status: 400) }
      state = .keying
      return .makeKey
    case (.rejecting, .registration(let other)):
      // It counts as the one fresh registration: an unknown client is never registered twice.
      hasRegistered = true
      registration = other
      return try check(conflicts: 0, at: moment)
    case (.challenged, .answers(let given)):
      // Answers to the current challenges only: a password is not sent again in a later round.
      answers = given
      return try check(conflicts: 0, at: moment)
    case (.failing(let error), .proceed): throw error
    case (.passing, .proceed): return try pass(at: moment)
    case (_, .failure(let failure)): throw failure.error
    case (_, .reply(let reply)): return try take(reply, at: moment)
    default: throw .loginOutOfOrder
    }
  }

  private mutating func begin(at moment: Moment) throws(GatebookError) -> Step {
    try app.check()
    guard var registration else {
      state = .keying
      return .makeKey
    }
    guard registration.differs(from: app) else { return try check(conflicts: 0, at: moment) }
    registration.app = app
    state = .updating(registration)
    return try send(
      requests.registration(registration, updating: registration.clientID), at: moment)
  }

  private mutating func pass(at moment: Moment) throws(GatebookError) -> Step {
    guard case .token = goal else {
      state = .ended
      return .finish(nil)
    }
    state = .authorizing
    return try send(
      requests.authorization(clientID: client().clientID, scope: scope), at: moment)
  }

  mutating func check(
    conflicts: Int, at moment: Moment
  ) throws(GatebookError) -> Step {
    state = .checking(conflicts: conflicts)
    answered.formUnion(answers.keys)
    return try send(
      requests.preauthorize(clientID: client().clientID, scope: scope, answers: answers),
      at: moment)
  }

  func client() throws(GatebookError) -> ClientRegistration {
    guard let registration else { throw .loginOutOfOrder }
    return registration
  }

  /// Sends within what is left of the time for network steps.
  mutating func send(
    _ request: HTTPRequest, at moment: Moment
  ) throws(GatebookError) -> Step {
    guard budget > .zero else { throw .loginTimedOut(app.loginTimeout) }
    var request = request.carrying(jar, at: moment)
    request.limits.total = min(request.limits.total, budget)
    request.limits.connect = min(request.limits.connect, budget)
    lastRequest = (request, moment)
    return .send(request)
  }
}

/// What one answer of the server says about security checks, in the order of reporting: successes,
/// then failures or challenges.
package struct CheckRound: Sendable {
  /// Checks that have succeeded, by name.
  package var successes: [SecurityCheckSuccess] = []
  /// Checks that want an answer, by name.
  package var challenges: [SecurityCheckChallenge] = []
  /// Checks that refuse, by name.
  package var failures: [SecurityCheckFailure] = []
}
