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
/// checking      --409 MFP-Conflict-------------> checking       the same again, at most 7 times
/// challenged    --answers----------------------> checking       the current answers alone
/// failing       --proceed----------------------> challenge.blocked
/// passing       --proceed, a login-------------> finish
/// passing       --proceed, a token-------------> authorising    GET authorization
/// authorising   --302 with code----------------> redeeming      POST token
/// authorising   --302 access_denied------------> scope.missing
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

  /// What the machine is told.
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

  /// How often a conflict is answered by sending again.
  package static let maximumConflicts = 7

  private enum State {
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
  package private(set) var registration: ClientRegistration?
  /// The account's cookies, with those of all answers so far.
  package private(set) var jar: CookieJar

  private let goal: Goal
  private let requests: MobileFirstRequests
  private let suffixes: (any PublicSuffixes)?
  private var state = State.ready
  private var answers: [String: ChallengeAnswer] = [:]
  private var answered: Set<String> = []
  private var rounds: [String: Int64] = [:]
  private var hasRegistered = false
  private var budget: Duration
  private var lastRequest: (request: HTTPRequest, moment: Moment)?

  private var app: MobileFirstApp { requests.app }

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

  private var scope: AuthorizationScope {
    switch goal {
    case .token(let scope): scope
    case .login(let check, _): AuthorizationScope(check)
    }
  }

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

  private mutating func check(
    conflicts: Int, at moment: Moment
  ) throws(GatebookError) -> Step {
    state = .checking(conflicts: conflicts)
    answered.formUnion(answers.keys)
    return try send(
      requests.preauthorize(clientID: client().clientID, scope: scope, answers: answers),
      at: moment)
  }

  private func client() throws(GatebookError) -> ClientRegistration {
    guard let registration else { throw .loginOutOfOrder }
    return registration
  }

  /// Sends within what is left of the time for network steps.
  private mutating func send(
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

extension AuthorizationPipeline {
  private mutating func take(
    _ reply: HTTPReply, at moment: Moment
  ) throws(GatebookError) -> Step {
    guard let (request, sent) = lastRequest else { throw .loginOutOfOrder }
    lastRequest = nil
    budget -= max(.zero, moment.boot - sent.boot)
    _ = jar.receive(reply, from: request.url, at: moment.wall, suffixes: suffixes)
    switch state {
    case .registering(let fresh): return try register(fresh, reply, from: request.url)
    case .updating(let changed): return try update(changed, reply, from: request.url)
    case .checking(let conflicts):
      return try judge(reply, from: request.url, conflicts: conflicts, at: moment)
    case .authorizing: return try redeem(reply, from: request.url, at: moment)
    case .redeeming: return try grant(reply, from: request.url, sent: sent)
    default: throw .loginOutOfOrder
    }
  }

  private mutating func register(
    _ fresh: ClientRegistration, _ reply: HTTPReply, from url: HTTPURL
  ) throws(GatebookError) -> Step {
    guard StatusClass(reply.status) == .accepted else {
      throw MobileFirstRefusal(reply).error(reply, from: url)
    }
    let path = reply.fields.first("Location").flatMap { url.resolve($0) }?.path ?? ""
    guard let id = path.split(separator: "/").last.map(String.init), id != "self" else {
      throw .unexpected(
        "The server registered the client without telling its id.",
        remedy: "Check the server's URL and its context path.", status: reply.status)
    }
    var known = fresh
    known.clientID = id
    registration = known
    state = .announcing
    return .registered(known)
  }

  private mutating func update(
    _ changed: ClientRegistration, _ reply: HTTPReply, from url: HTTPURL
  ) throws(GatebookError) -> Step {
    switch StatusClass(reply.status) {
    case .accepted:
      registration = changed
      state = .announcing
      return .registered(changed)
    case .unauthorised, .forbidden, .misplaced, .refused:
      // The server takes neither the change nor, as it seems, the client: it is registered anew.
      return reject()
    case .redirected, .unavailable: throw MobileFirstRefusal(reply).error(reply, from: url)
    }
  }

  private mutating func reject() -> Step {
    let id = registration?.clientID ?? ""
    state = .rejecting
    return .rejected(clientID: id)
  }

  private mutating func judge(
    _ reply: HTTPReply, from url: HTTPURL, conflicts: Int, at moment: Moment
  ) throws(GatebookError) -> Step {
    switch PreauthorizeAnswer(reply, from: url) {
    case .passed(let checks):
      state = .passing
      return round(checks, at: moment)
    case .challenged(let checks):
      state = .challenged
      return round(checks, at: moment)
    case .failed(let checks):
      state = .failing(.blocked(checks.failures.names, status: reply.status))
      return round(checks, at: moment)
    case .unknownClient: return reject()
    case .conflicting:
      guard conflicts < Self.maximumConflicts else {
        throw MobileFirstRefusal(nil).error(reply, from: url)
      }
      return try check(conflicts: conflicts + 1, at: moment)
    case .other(let error): throw error
    }
  }

  private mutating func round(_ checks: PreauthorizeAnswer.Checks, at moment: Moment) -> Step {
    if let time = checks.serverTime {
      registration?.offset =
        time.subtractingReportingOverflow(moment.wall.rawValue / 1000)
        .partialValue
    }
    var round = CheckRound()
    round.successes = checks.successes.names.map { name in
      SecurityCheckSuccess(
        flow: flow, check: name, wasRemembered: !answered.contains(name),
        payload: checks.successes[name])
    }
    round.failures = checks.failures.names.map { name in
      SecurityCheckFailure(flow: flow, check: name, payload: checks.failures[name])
    }
    guard case .challenged = state else { return .round(round) }
    for name in checks.challenges.names {
      rounds[name, default: 0] += 1
      round.challenges.append(
        SecurityCheckChallenge(
          flow: flow, check: name, round: rounds[name] ?? 1, payload: checks.challenges[name]))
    }
    return .round(round)
  }

  private mutating func redeem(
    _ reply: HTTPReply, from url: HTTPURL, at moment: Moment
  ) throws(GatebookError) -> Step {
    switch AuthorizationAnswer(reply) {
    case .code(let code):
      state = .redeeming
      return try send(requests.token(code: code, of: client(), at: moment), at: moment)
    case .refused(let code):
      throw GatebookError(
        .scopeMissing, "The server gives no code for the scope: a check has not succeeded.",
        kept: GatebookError.keptSessions, remedy: "Try again: checks end after a while.",
        status: reply.status, serverCode: code)
    case .other:
      guard !MobileFirstRefusal(reply).isUnknownClient else { return reject() }
      throw MobileFirstRefusal(reply).error(reply, from: url)
    }
  }

  private mutating func grant(
    _ reply: HTTPReply, from url: HTTPURL, sent: Moment
  ) throws(GatebookError) -> Step {
    guard reply.status == 200 else {
      let refusal = MobileFirstRefusal(reply)
      guard refusal.code == "invalid_grant" else { throw refusal.error(reply, from: url) }
      throw GatebookError(
        .codeRefused, "The server refused the code it had just given.",
        kept: GatebookError.keptSessions, remedy: "Try again.", status: reply.status,
        serverCode: refusal.code)
    }
    let body = JSONDocument.read(reply.body)?.object
    guard let value = body?["access_token"]?.text, !value.isEmpty,
      body?["token_type"]?.text?.equalsIgnoringCase("Bearer") ?? true
    else {
      throw .unexpected(
        "The server answered 200 without a bearer token.",
        remedy: "Check the authorization server's URL.", status: reply.status)
    }
    let seconds = body?["expires_in"]?.integer ?? 0
    state = .ended
    return .finish(
      AccessToken(
        scope: scope, grantedScope: body?["scope"]?.text ?? scope.description,
        value: Secret(value), sent: sent,
        // A life beyond a century is no life that a server means.
        lifetime: .seconds(min(max(0, seconds), 100 * 366 * 86_400)), flow: flow))
  }
}
