extension SessionContext {
  /// What the state calls for.
  ///
  /// - Parameters:
  ///   - standing: What else is known.
  ///   - events: What led to the state.
  /// - Returns: What to do now.
  func advice(_ standing: AccountSituation, _ events: [RecordedEvent]) -> Advice {
    let events = events.at(server)
    var advice = adviceToServer(standing, events)
    if advice == .nothing { advice = adviceOnRefusals(standing) }
    if advice == .nothing, standing.isDiskFull { advice = .freeSpace }
    // What a server demanded of a login holds for whatever would be sent in its place.
    return events.isSilenced(at: standing.now) ? advice.silenced : advice
  }

  /// What requests call for that the server refused without refusing the session.
  private func adviceOnRefusals(_ standing: AccountSituation) -> Advice {
    if standing.lostScopes != nil { return .logIn }
    if standing.folded.isQuestioned { return .use }
    return standing.refusal == nil ? .nothing : .askServer
  }

  /// What the state calls for where the server may be asked.
  private func adviceToServer(_ standing: AccountSituation, _ events: [RecordedEvent]) -> Advice {
    if standing.kept == .keyless { return .restoreBook }
    if !standing.kept.isUsable {
      // Changed credentials prevent a renewal, and only a login replaces them.
      return standing.kept == .missing
        ? adviceOnLogin(standing, events.ofServer)
        : standing.hasOpenLogin ? .resume : .logIn
    }
    return switch state {
    case .active, .offline, .uncertain:
      standing.needsInsistence
        ? events.ofUse.obstacle(isLast: true) ?? .insist : adviceInUse(standing, events.ofUse)
    case .challenged: .answerChallenge
    case .needsLogin(.identityMismatch): .checkIdentity
    case .needsLogin where standing.saved == .refusedSilently:
      events.ofUse.obstacle() ?? .insist
    case .needsLogin: adviceOnLogin(standing, events.ofServer)
    case .ended(.erased): .startOver
    case .ended where standing.isErasing: .completeErasure
    case .ended where !standing.folded.outbox.isEmpty: adviceOnOutbox(standing)
    case .ended:
      adviceOnLogin(standing, events.ofServer.filter { $0.position > position })
    }
  }

  /// What an account without a session calls for.
  private func adviceOnLogin(_ standing: AccountSituation, _ events: [RecordedEvent]) -> Advice {
    guard standing.saved.canLogIn else {
      if let obstacle = events.obstacle() { return obstacle }
      return events.isBlocked ? .logInLater : standing.hasOpenLogin ? .resume : .logIn
    }
    let own = events.ofUse
    // What its last login has met is met again; how its session ended says nothing of a login.
    if let last = own.last(where: \.tellsOfServer),
      last.isKind(.loginFailed) || last.isKind(.trustDecided),
      last.failure.fault?.lacksClientCertificate != true,
      let obstacle = own.obstacle()
    {
      return obstacle
    }
    return own.isBlocked ? .logInWithSavedLater : .logInWithSaved
  }

  /// What a server calls for that wants a stronger login, or more scopes: `nil` for none.
  private func stepUpAdvice(_ standing: AccountSituation, _ events: [RecordedEvent]) -> Advice? {
    guard openChallenges.contains("step-up") else { return nil }
    // Of an application's own tokens there is no person who could log in better.
    if standing.isByToken { return .askServer }
    let event = events.last { $0.facts(of: ChallengeReceived.self)?.challenge.isStepUp == true }
    let demand = event?.facts(of: ChallengeReceived.self)
    if let event, demand?.demandsNothing(event) == true { return .askDemand }
    let isAboutLogin = event.flatMap { demand?.demandsAuthentication($0) } ?? false
    switch standing.stepUpFailure {
    case .scopeMissing: return .askServer
    // Without a page nobody can show how the person has logged in.
    case .configurationInvalid where isAboutLogin: return .askServer
    case .identityMismatch: return .checkIdentity
    default: break
    }
    return isAboutLogin && !method.hasPrefix("oidc") ? .logInByOpenID : .stepUp
  }

  /// What the state of an account that can be used calls for.
  private func adviceInUse(_ standing: AccountSituation, _ events: [RecordedEvent]) -> Advice {
    // Whatever else is wanted, it would be sent to that server.
    if let advice = events.certificateAdvice { return advice }
    if let advice = stepUpAdvice(standing, events) { return advice }
    if !openChallenges.isEmpty { return .answerChallenge }
    let advice = adviceOnSession(standing, events)
    guard isPastOfflineLimit,
      [.nothing, .use, .tryAgain, .deliver, .awaitDelivery].contains(advice)
    else {
      return advice
    }
    // Each use ends it where the server cannot be reached.
    return .useOnline
  }

  /// What its session calls for where nothing is asked of the person.
  private func adviceOnSession(_ standing: AccountSituation, _ events: [RecordedEvent]) -> Advice {
    let last = events.lastOfServer
    if last?.trust?.verdict == "revoked" { return .logInTrusting }
    if last?.failure.code == .challengeBlocked {
      // What a security check has blocked, only a login gets through again.
      return last?.challenge.check == nil ? .wait : .logInLater
    }
    if renewalEnd != nil, !standing.folded.logsInAgain { return .logIn }
    if state == .uncertain, standing.folded.unanswered > 0 {
      return events.obstacle() ?? .tryAgain
    }
    if standing.folded.intent != nil || standing.hasOrphanedLogin { return .tryAgain }
    guard let deferral = standing.folded.deferral else { return adviceOnRest(standing, events) }
    guard deferral.isDemanded else {
      let advice = events.failureAdvice ?? .tryAgain
      return advice == .tryAgain && isServing(standing) ? .use : advice
    }
    guard standing.now != nil, standing.renewalSilence == nil else {
      return standing.now == nil || standing.isOver || standing.isRefused
        ? .wait : adviceOnRest(standing, events)
    }
    return isServing(standing) ? .use : .tryAgain
  }

  /// Whether what it has serves without its server, which the next use asks all the same.
  private func isServing(_ standing: AccountSituation) -> Bool {
    state != .active && !standing.isOver
  }

  /// What is left to be done where nothing is wrong with the session.
  private func adviceOnRest(_ standing: AccountSituation, _ events: [RecordedEvent]) -> Advice {
    if let advice = adviceOnQuestion(standing, events) { return advice }
    if state != .active { return .use }
    if standing.isClosedOffline { return .logIn }
    return standing.folded.outbox.isEmpty ? .nothing : adviceOnOutbox(standing)
  }

  /// What the last question calls for that a server has asked and nobody answered, or that it was
  /// asked and did not decide: `nil` where it may be asked once more, or has given its word since.
  private func adviceOnQuestion(_ standing: AccountSituation, _ events: [RecordedEvent]) -> Advice?
  {
    guard let last = events.lastOfServer else { return nil }
    if last.failure.code == .challengeUnhandled {
      return last.failure.fault?.isUnanswerable == true ? .askServer : .answerChallenge
    }
    guard let unverified = last.facts(of: SessionUnverified.self) else { return nil }
    if let wait = unverified.demandedWait, let now = standing.now?.wall,
      // A clock that was set back since says nothing of how long that is.
      now >= last.at, last.at + wait > now
    {
      return .wait
    }
    return events.obstacle()
  }

  /// What a server calls for that is still to be told.
  private func adviceOnOutbox(_ standing: AccountSituation) -> Advice {
    if standing.deliverer != nil { return .awaitDelivery }
    return standing.silence == nil ? .deliver : .wait
  }
}

extension AccountState {
  /// Whether a renewal is under way, or the last one has failed.
  var isHeldUp: Bool { intent != nil || deferral != nil }
}
