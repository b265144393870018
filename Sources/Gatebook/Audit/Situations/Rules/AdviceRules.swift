extension Advice {
  /// What to do in a situation: the first rule that applies says it; none means nothing.
  ///
  /// What is sent to the server comes first, then what the server demands, then what is left.
  static let rules: [SituationRule<Advice>] =
    ofProcess + ofSecrets + ofUse + ofRenewal + ofRest + ofEnd + ofDelivery + ofLogin + ofRefusals

  // swift-format-ignore: OnlyOneTrailingClosureArgument
  private static let ofProcess: [SituationRule<Advice>] = [
    SituationRule(
      "advice: process", when: { $0.begun?.holder != nil || $0.lockHolder != nil }, .awaitProcess)
  ]

  /// Secrets that are lost.
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  private static let ofSecrets: [SituationRule<Advice>] = [
    SituationRule("advice: key missing", when: { $0.kept == .keyless }, .restoreBook),
    SituationRule(
      "advice: secret changed, login waits",
      when: { $0.kept == .changed && $0.hasOpenLogin }, .resume),
    SituationRule("advice: secret changed", when: { $0.kept == .changed }, .logIn),
  ]

  /// What must be settled before a session is used.
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  private static let ofUse: [SituationRule<Advice>] = [
    SituationRule("advice: obstacle to one more try", when: { $0.isInUse && $0.needsInsistence }) {
      $0.ofUse.obstacle(isLast: true)
    },
    SituationRule(
      "advice: one more try", when: { $0.isInUse && $0.needsInsistence }, .insist),
    // Whatever else is wanted, it would be sent to that server.
    SituationRule("advice: certificate", when: \.isInUse) { $0.ofUse.certificateAdvice },
    // Of an application's own tokens there is no person who could log in better.
    SituationRule(
      "advice: stronger login of an application", when: { $0.wantsStepUp && $0.isByToken },
      .askServer),
    SituationRule(
      "advice: stronger login, not said which",
      when: { $0.wantsStepUp && $0.stepUp?.demandsNothing == true }, .askDemand),
    SituationRule(
      "advice: stronger login, scope missing",
      when: { $0.wantsStepUp && $0.stepUpFailure == .scopeMissing }, .askServer),
    // Without a page nobody can show how the person has logged in.
    SituationRule(
      "advice: stronger login, no page",
      when: { $0.wantsStrongerLogin && $0.stepUpFailure == .configurationInvalid }, .askServer),
    SituationRule(
      "advice: stronger login, other user",
      when: { $0.wantsStepUp && $0.stepUpFailure == .identityMismatch }, .checkIdentity),
    SituationRule(
      "advice: stronger login, no proof",
      when: { $0.wantsStrongerLogin && !$0.context.method.hasPrefix("oidc") }, .logInByOpenID),
    SituationRule("advice: stronger login", when: \.wantsStepUp, .stepUp),
    SituationRule(
      "advice: open challenge", when: { $0.isInUse && !$0.context.openChallenges.isEmpty },
      .answerChallenge),
  ]

  /// The renewal of a session.
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  private static let ofRenewal: [SituationRule<Advice>] = [
    SituationRule(
      "advice: trust revoked", when: { $0.isInUse && $0.last?.trust?.verdict == "revoked" },
      .logInTrusting),
    SituationRule(
      "advice: blocked", when: { $0.isBlocked && $0.last?.challenge.check == nil }, .wait),
    // What a security check has blocked, only a login gets through again.
    SituationRule("advice: check blocked", when: \.isBlocked, .logInLater),
    SituationRule(
      "advice: renewal ended",
      when: { $0.isInUse && $0.context.renewalEnd != nil && !$0.folded.logsInAgain }, .logIn),
    SituationRule("advice: obstacle after a lost answer", when: \.hasLostAnswer) {
      $0.ofUse.obstacle()
    },
    SituationRule(
      "advice: lost answer, renewal open",
      when: { $0.hasLostAnswer || $0.isInUse && $0.isRenewalOpen }, .tryAgain),
    SituationRule(
      "advice: renewal failed, still serving", when: { $0.hasFailed && $0.isServing }
    ) { ($0.ofUse.failureAdvice ?? .tryAgain) == .tryAgain ? .use : nil },
    SituationRule("advice: renewal failed", when: \.hasFailed) {
      $0.ofUse.failureAdvice ?? .tryAgain
    },
    SituationRule(
      "advice: server demands a wait",
      when: {
        $0.isDeferredByServer && $0.isSilenced && ($0.now == nil || $0.isOver || $0.isRefused)
      },
      .wait),
    SituationRule(
      "advice: demanded wait over, still serving",
      when: { $0.isDeferredByServer && !$0.isSilenced && $0.isServing }, .use),
    SituationRule(
      "advice: demanded wait over", when: { $0.isDeferredByServer && !$0.isSilenced }, .tryAgain),
  ]

  /// A session with nothing wrong in its renewal.
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  private static let ofRest: [SituationRule<Advice>] = [
    SituationRule(
      "advice: question that cannot be answered",
      when: { $0.isQuestioned && $0.last?.failure.fault?.isUnanswerable == true }, .askServer),
    SituationRule("advice: question", when: \.isQuestioned, .answerChallenge),
    SituationRule("advice: check put off", when: \.isCheckPutOff, .wait),
    SituationRule("advice: obstacle to a check", when: { $0.isInUse && $0.lastCheck != nil }) {
      $0.ofUse.obstacle()
    },
    SituationRule("advice: offline", when: { $0.isInUse && !$0.isActive }, .use),
    SituationRule(
      "advice: offline password blocked", when: { $0.isInUse && $0.isClosedOffline }, .logIn),
  ]

  /// An account without a session.
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  private static let ofEnd: [SituationRule<Advice>] = [
    SituationRule(
      "advice: challenged", when: { $0.kept.isUsable && $0.context.state == .challenged },
      .answerChallenge),
    SituationRule(
      "advice: other user", when: { $0.context.state == .needsLogin(.identityMismatch) },
      .checkIdentity),
    SituationRule("advice: obstacle to the refused token", when: \.isRefusedSilently) {
      $0.ofUse.obstacle()
    },
    SituationRule("advice: refused token", when: \.isRefusedSilently, .insist),
    SituationRule("advice: erased", when: \.isErased, .startOver),
    SituationRule("advice: erasing", when: { $0.isEnded && $0.isErasing }, .completeErasure),
  ]

  /// What a server is still to be told.
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  private static let ofDelivery: [SituationRule<Advice>] = [
    SituationRule(
      "advice: delivery running", when: { $0.isDeliveryNext && $0.deliverer != nil },
      .awaitDelivery),
    SituationRule(
      "advice: delivery", when: { $0.isDeliveryNext && $0.silence == nil }, .deliver),
    SituationRule("advice: delivery later", when: \.isDeliveryNext, .wait),
  ]

  /// What a login needs.
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  private static let ofLogin: [SituationRule<Advice>] = [
    SituationRule("advice: obstacle to a login", when: \.needsPerson) { $0.ofLogin.obstacle() },
    SituationRule(
      "advice: login blocked", when: { $0.needsPerson && $0.ofLogin.isBlocked }, .logInLater),
    SituationRule("advice: login waits", when: { $0.needsPerson && $0.hasOpenLogin }, .resume),
    SituationRule("advice: login", when: \.needsPerson, .logIn),
    SituationRule(
      "advice: obstacle to a saved login", when: { $0.wantsLogin && $0.hasMetTrouble }
    ) { $0.ofLogin.ofUse.obstacle() },
    SituationRule(
      "advice: saved login blocked", when: { $0.wantsLogin && $0.ofLogin.ofUse.isBlocked },
      .logInWithSavedLater),
    SituationRule("advice: saved login", when: \.wantsLogin, .logInWithSaved),
  ]

  /// Requests that the server refused without refusing the session, and a full disk.
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  private static let ofRefusals: [SituationRule<Advice>] = [
    SituationRule(
      "advice: scopes lost", when: { !$0.context.isPastOfflineLimit && $0.lostScopes != nil },
      .logIn),
    SituationRule(
      "advice: request answered with 400",
      when: { !$0.context.isPastOfflineLimit && $0.folded.isQuestioned }, .use),
    SituationRule(
      "advice: request refused", when: { !$0.context.isPastOfflineLimit && $0.refusal != nil },
      .askServer),
    SituationRule(
      "advice: disk full", when: { !$0.context.isPastOfflineLimit && $0.isDiskFull }, .freeSpace),
  ]
}

extension AccountSituation {
  /// What to do, and the name of the rule that says so; no name if nothing needs to be done.
  var advice: (advice: Advice, rules: [String]) {
    var advice = Advice.nothing
    var names: [String] = []
    for rule in Advice.rules {
      guard let conclusion = rule.conclusion(self) else { continue }
      advice = conclusion
      names = [rule.name]
      break
    }
    // Each use ends the session if the server cannot be reached.
    if isInUse, context.isPastOfflineLimit,
      [.nothing, .use, .tryAgain, .deliver, .awaitDelivery].contains(advice)
    {
      advice = .useOnline
    }
    // What a server demanded of a login holds for whatever would be sent in its place.
    return (ownEvents.isSilenced(at: now) ? advice.silenced : advice, names)
  }
}

extension AccountSituation {
  /// The last event that tells how the server was found.
  fileprivate var last: RecordedEvent? { ofUse.lastOfServer }

  fileprivate var isBlocked: Bool { isInUse && last?.failure.code == .challengeBlocked }

  fileprivate var hasLostAnswer: Bool { isInUse && isUncertain && folded.unanswered > 0 }

  fileprivate var isRenewalOpen: Bool { folded.intent != nil || hasOrphanedLogin }

  /// Whether the last renewal failed, without a wait that the server demanded.
  fileprivate var hasFailed: Bool { isInUse && folded.deferral?.isDemanded == false }

  fileprivate var isDeferredByServer: Bool { isInUse && folded.deferral?.isDemanded == true }

  /// Whether the time that the server demanded is not over.
  fileprivate var isSilenced: Bool { now == nil || renewalSilence != nil }

  /// Whether the session serves without its server, which the next use asks all the same.
  fileprivate var isServing: Bool { !isActive && !isOver }

  /// Whether the server has asked a question that nobody has answered.
  fileprivate var isQuestioned: Bool { isInUse && last?.failure.code == .challengeUnhandled }

  /// The last check of the session, if it did not decide.
  fileprivate var lastCheck: SessionUnverified? { last?.facts(of: SessionUnverified.self) }

  fileprivate var isCheckPutOff: Bool {
    guard isInUse, let wait = lastCheck?.demandedWait, let at = last?.at, let now = now?.wall
    else { return false }
    // A clock that was set back since says nothing of how long that is.
    return now >= at && at + wait > now
  }

  fileprivate var wantsStepUp: Bool { isInUse && context.openChallenges.contains("step-up") }

  fileprivate var wantsStrongerLogin: Bool { wantsStepUp && stepUp?.isAboutLogin == true }

  /// The last stronger login that the server has demanded.
  fileprivate var stepUp: (demandsNothing: Bool, isAboutLogin: Bool)? {
    for event in ofUse.reversed() {
      guard let demand = event.facts(of: ChallengeReceived.self), demand.challenge.isStepUp
      else { continue }
      return (demand.demandsNothing(event), demand.demandsAuthentication(event))
    }
    return nil
  }

  fileprivate var isRefusedSilently: Bool { needsLogin && saved == .refusedSilently }

  fileprivate var isDeliveryNext: Bool { kept.isUsable && owesMessage && (isInUse || isEnded) }

  /// Whether only a login helps.
  fileprivate var wantsLogin: Bool { kept == .missing || needsLogin || isEnded }

  fileprivate var needsPerson: Bool { wantsLogin && !saved.canLogIn }

  /// The events that tell how a login would fare: how a session ended says nothing of that.
  fileprivate var ofLogin: [RecordedEvent] {
    let events = ownEvents.ofServer
    return isEnded && kept.isUsable ? events.filter { $0.position > context.position } : events
  }

  /// Whether the last automatic login has met trouble that it would meet again.
  fileprivate var hasMetTrouble: Bool {
    guard let last = ofLogin.ofUse.last(where: \.tellsOfServer) else { return false }
    return (last.isKind(.loginFailed) || last.isKind(.trustDecided))
      && last.failure.fault?.lacksClientCertificate != true
  }
}
