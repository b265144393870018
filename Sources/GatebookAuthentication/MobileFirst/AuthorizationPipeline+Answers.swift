internal import GatebookCrypto
internal import GatebookEvents

extension AuthorizationPipeline {
  /// Takes the answer to the last request.
  mutating func take(
    _ reply: HTTPReply, at moment: Moment
  ) throws(GatebookError) -> Step {
    guard let (request, sent) = lastRequest else { throw .loginOutOfOrder }
    lastRequest = nil
    if !isExcused { budget -= max(.zero, moment.boot - sent.boot) }
    isExcused = false
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
    let path = reply.target(from: url)?.path ?? ""
    guard let id = path.split(separator: "/").last.map(String.init), id != "self" else {
      throw .unexpected(
        "The server registered the client but did not return its ID.",
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
      // The server accepts neither the change nor, it seems, the client: it is registered again.
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
    switch try PreauthorizeAnswer(reply, from: url, for: scope) {
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
      guard conflicts < ResourceRefusal.maximumConflicts else {
        throw MobileFirstRefusal(nil).error(reply, from: url)
      }
      return try check(conflicts: conflicts + 1, at: moment)
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
    case .refused("invalid_scope"): throw .unknownScope(scope, status: reply.status)
    case .refused(let code):
      throw .atLogin(
        .scopeMissing,
        "The server gave no code for the scope, because a security check has not succeeded.",
        remedy: "Try again: security checks expire after a while.", status: reply.status,
        serverCode: code)
    case .other:
      let refusal = MobileFirstRefusal(reply)
      guard !refusal.isUnknownClient else { return reject() }
      guard !refusal.isUnknownScope else { throw .unknownScope(scope, status: reply.status) }
      throw refusal.error(reply, from: url)
    }
  }

  private mutating func grant(
    _ reply: HTTPReply, from url: HTTPURL, sent: Moment
  ) throws(GatebookError) -> Step {
    guard reply.status == 200 else {
      let refusal = MobileFirstRefusal(reply)
      guard !refusal.isUnknownScope else { throw .unknownScope(scope, status: reply.status) }
      guard refusal.code == "invalid_grant" else { throw refusal.error(reply, from: url) }
      throw .atLogin(
        .codeRefused, "The server rejected the code that it had just issued.", remedy: "Try again.",
        status: reply.status, serverCode: refusal.code)
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
