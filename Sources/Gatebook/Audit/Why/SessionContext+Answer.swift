extension SessionContext {
  /// The state in one or two sentences.
  ///
  /// - Parameter standing: What else is known.
  /// - Returns: The sentences.
  func answer(_ standing: Standing) -> Sentence {
    let folded = standing.folded
    let open = Self.open(folded, heldBy: standing.holder)
    return switch state {
    case _ where isPastOfflineLimit && !standing.needsInsistence: pastLimit(standing) + open
    case .active:
      use(standing) + confirmation(standing) + refusal(standing) + Self.closed(standing) + open
    case .offline where standing.needsInsistence: usedUp(standing) + open
    case .offline:
      "The account is used without its server since \(since)" + confirmation(standing)
        + Self.closed(standing) + open
    case .challenged: "The account waits for the answer to a challenge since \(since)."
    case .uncertain where folded.unanswered == 0:
      "The account can be used, but whether its session lives on at the server is not known"
        + confirmation(standing) + open
    case .uncertain where standing.needsInsistence: usedUp(standing) + open
    case .uncertain:
      "The account can be used, but a renewal was sent whose answer is not known"
        + confirmation(standing) + open
    case .needsLogin where standing.isUnanswered:
      "The session ended at \(since): \(EndReason.unknownOutcome). \(standing.saved.sentence)"
        + Self.login(standing) + Self.untold(standing)
    case .needsLogin(let reason):
      "The session ended at \(since): \(reason.meaning). \(standing.saved.sentence)"
        + Self.login(standing) + Self.untold(standing)
    case .ended(.erased):
      "The account was erased at \(since): its history is kept, its person is forgotten."
    case .ended(let reason):
      "The session ended at \(since): \(reason.meaning)."
        + (standing.saved == .none ? "" : " \(standing.saved.sentence)")
        + Self.login(standing) + silence(standing)
    }
  }

  /// What is said where the next use decides.
  private func pastLimit(_ standing: Standing) -> Sentence {
    "The session is past its limit: it went without the server's word for longer than its login "
      + "allows. It ends at the next use that the server does not vouch for."
      + (lastVerified.map { " The server last confirmed it at \($0)." } ?? "") + life(standing)
  }

  /// Whether the account can be used: what it has may be over or refused, and its server not to be asked.
  private func use(_ standing: Standing) -> Sentence {
    guard let now = standing.now, isOver(now) else { return "The account can be used" }
    // Whoever sent it last may be gone: then the next use sends it once more.
    guard standing.folded.intent == nil else {
      return "The account can be used only after a renewal"
    }
    guard let deferral = standing.folded.deferral
    else { return "The account can be used" }
    if deferral.isHalted { return "The account cannot be used now" }
    guard deferral.isDemanded, let until = deferral.until, until > now.wall else {
      return "The account can be used as soon as its session can be renewed"
    }
    return "The account cannot be used before \(until)"
  }

  /// What is said of a server that refuses what has not ended.
  private func refusal(_ standing: Standing) -> Sentence {
    guard standing.isRefused, !isOver(standing.now) else { return "" }
    return standing.folded.deferral?.isHalted == true
      ? " Since then it has refused a request with that, which may still serve others, and nothing renews "
        + "it by itself any more."
      : " Since then it has refused a request with that, which may still serve others: the next one that "
        + "is refused tries again to renew it."
  }

  /// That no password opens it without its server.
  private static func closed(_ standing: Standing) -> Sentence {
    guard standing.isClosedOffline else { return "" }
    return
      " Without its server no password opens it any more: too many were wrong. Only a login by password "
      + "at the server changes that."
  }

  /// Who is logging it in again with what was saved.
  private static func login(_ standing: Standing) -> Sentence {
    guard let holder = standing.holder else { return "" }
    return
      " \(holder), logs it in with what was saved: it is waiting for the answer, or stands still."
  }

  /// That a former session still has to be told to its server.
  private static func untold(_ standing: Standing) -> Sentence {
    standing.folded.outbox.isEmpty ? "" : " The server is still to be told that one has ended."
  }

  private func silence(_ standing: Standing) -> Sentence {
    guard let until = standing.silence else { return "" }
    return " The server is still to be told, and demanded to be left alone until \(until)."
  }

  /// What is said where nothing is left that is sent by itself.
  private func usedUp(_ standing: Standing) -> Sentence {
    (isOver(standing.now)
      ? "The account cannot be used now" : "The account can be used until its end")
      + ": what it is renewed with may have been sent more than once, no answer tells what became of it, and "
      + "it counts as used up."
      + (lastVerified.map { " The server last confirmed the session at \($0)." } ?? "")
      + life(standing)
  }

  private func confirmation(_ standing: Standing) -> Sentence {
    (lastVerified.map { ": the server last confirmed it at \($0)." } ?? ".") + life(standing)
  }

  private func life(_ standing: Standing) -> Sentence {
    guard let end = expiresAt else { return "" }
    guard let now = standing.now, now.wall >= end else { return " What it has lives until \(end)." }
    guard renewsItself, state != .uncertain, !standing.needsInsistence,
      standing.folded.intent == nil
    else {
      return " What it had ended at \(end)."
    }
    guard let deferral = standing.folded.deferral else {
      return " What it had ended at \(end): the next use renews it."
    }
    if deferral.isHalted {
      return " What it had ended at \(end), and nothing renews it by itself any more."
    }
    guard deferral.isDemanded, let until = deferral.until, until > now.wall else {
      return " What it had ended at \(end): the next use tries again to renew it."
    }
    return " What it had ended at \(end): the first use after \(until) tries again to renew it."
  }

  private func isOver(_ now: Moment?) -> Bool {
    guard let now, let end = expiresAt else { return false }
    return now.wall >= end
  }

  private static func open(_ state: AccountState, heldBy holder: String?) -> Sentence {
    guard state.intent != nil else { return "" }
    if let holder {
      return
        " A renewal was begun that has no recorded end. \(holder), holds its lock: it is waiting "
        + "for the answer, or stands still, and every other renewal waits for it."
    }
    return
      " A renewal was begun that has no recorded end: it is under way, or the process that began it "
      + "is gone. In that case the next use that renews sends the same, perhaps once more: where the "
      + "server had taken it already, it may refuse it now, and the session ends."
  }

  /// What the state calls for.
  ///
  /// - Parameters:
  ///   - standing: What else is known.
  ///   - events: What led to the state.
  /// - Returns: What to do now.
  func advice(_ standing: Standing, _ events: [RecordedEvent]) -> Advice {
    let advice = adviceToServer(standing, events)
    // What a server demanded of a login holds for whatever would be sent in its place.
    guard events.isSilenced(at: standing.now) else { return advice }
    guard case .needsLogin = state else { return advice.silenced(needsLogin: false) }
    return advice.silenced(needsLogin: true)
  }

  /// What the state calls for where the server may be asked.
  private func adviceToServer(_ standing: Standing, _ events: [RecordedEvent]) -> Advice {
    switch state {
    case .active, .offline, .uncertain:
      if standing.needsInsistence { .insist } else { adviceInUse(standing, events) }
    case .challenged: .answerChallenge
    case .needsLogin(.identityMismatch): .checkIdentity
    case .needsLogin where standing.saved == .usable:
      events.loginAdvice ?? (events.isBlocked ? .wait : .logInWithSaved)
    case .needsLogin where standing.saved == .refusedSilently: .insist
    case .needsLogin: events.serverAdvice ?? (events.isBlocked ? .logInLater : .logIn)
    case .ended(.erased): .startOver
    case .ended where !standing.folded.outbox.isEmpty: standing.silence == nil ? .deliver : .wait
    case .ended where events.isBlocked: .logInLater
    case .ended: standing.saved == .usable ? .logInWithSaved : .logIn
    }
  }

  /// What a server calls for that wants a stronger login, or more scopes: `nil` for none.
  private func stepUpAdvice(_ events: [RecordedEvent]) -> Advice? {
    guard openChallenges.contains("step-up") else { return nil }
    // Of an application's own tokens there is no person who could log in better.
    if events.last(where: { $0.isKind(.loginSucceeded) })?.data["evidence"]?.text == "token" {
      return .askServer
    }
    let demand = events.last { $0.data["check"]?.text == "step-up" }
    if demand?.demandsNothing == true { return .askDemand }
    return demand?.demandsAuthentication == true && !method.hasPrefix("oidc")
      ? .logInByOpenID : .stepUp
  }

  /// What the state of an account that can be used calls for.
  private func adviceInUse(_ standing: Standing, _ events: [RecordedEvent]) -> Advice {
    if let advice = stepUpAdvice(events) { return advice }
    if !openChallenges.isEmpty { return .answerChallenge }
    let advice = adviceOnSession(standing, events)
    guard isPastOfflineLimit, [.nothing, .use, .tryAgain, .deliver].contains(advice) else {
      return advice
    }
    // Each use ends it where the server cannot be reached.
    return .useOnline
  }

  /// What its session calls for where nothing is asked of the person.
  private func adviceOnSession(_ standing: Standing, _ events: [RecordedEvent]) -> Advice {
    let (folded, last) = (standing.folded, events.last)
    switch state {
    case .offline: return .use
    case .uncertain: return folded.unanswered == 0 ? .use : .tryAgain
    default: break
    }
    switch last?.data["verdict"]?.text {
    case "refused": return last?.adviceOnCertificate ?? .checkServer
    case "revoked": return .logIn
    default: break
    }
    if last?.data["code"]?.text == FailureCode.challengeBlocked.rawValue { return .wait }
    if standing.isClosedOffline { return .logIn }
    if folded.intent != nil { return .tryAgain }
    guard let deferral = folded.deferral else {
      return folded.outbox.isEmpty ? .nothing : standing.silence == nil ? .deliver : .wait
    }
    if deferral.isDemanded, let until = deferral.until, let now = standing.now {
      guard until > now.wall else { return .tryAgain }
      return isOver(now) || standing.isRefused ? .wait : .nothing
    }
    if deferral.isDemanded { return .wait }
    // How somebody's own login failed says nothing of the renewal.
    return events.filter { !$0.isKind(.loginFailed) }.failureAdvice ?? .tryAgain
  }
}

extension [RecordedEvent] {
  /// What the last failure among them calls for.
  fileprivate var failureAdvice: Advice? {
    guard let failure = last(where: { $0.data["code"] != nil }) else { return nil }
    guard failure.failureAdvice == .checkServer,
      let refusal = last(where: { $0.data["verdict"]?.text == "refused" })
    else { return failure.failureAdvice }
    return refusal.adviceOnCertificate
  }

  /// Whether the server has blocked what the last login asked for.
  fileprivate var isBlocked: Bool {
    let failure = last { $0.isKind(.loginFailed) || $0.isKind(.challengeFailed) }
    return failure?.data["code"]?.text == FailureCode.challengeBlocked.rawValue
  }

  /// Whether the server has answered the last login by a time in which it wants no other (RFC 6585
  /// section 4, RFC 9110 section 10.2.3).
  func isSilenced(at now: Moment?) -> Bool {
    // One that the server did not answer since takes nothing of it back, one that it granted does.
    guard let now,
      let last = last(where: {
        $0.isKind(.loginSucceeded) || $0.isKind(.refreshSucceeded)
          || $0.isKind(.loginFailed) && $0.data["status"] != nil
      }), [429, 503].contains(last.data["status"]?.integer),
      let wait = last.data["retryAfter"]?.integer
    else { return false }
    return last.at + .microseconds(wait) > now.wall
  }

  /// What must be looked at before what was saved is sent again: its last login met that.
  fileprivate var loginAdvice: Advice? {
    guard let last = last(where: { $0.data["code"] != nil }), last.isKind(.loginFailed) else {
      return nil
    }
    return serverAdvice
  }

  /// What must be looked at before anybody logs in.
  fileprivate var serverAdvice: Advice? {
    failureAdvice.flatMap {
      [.checkServer, .checkSettings, .checkClock, .checkIdentity, .askServer, .giveCertificate]
        .contains($0)
        ? $0 : nil
    }
  }
}
