extension SessionContext {
  /// The state in one or two sentences.
  ///
  /// - Parameters:
  ///   - folded: What else the folds know.
  ///   - holder: Who holds the lock of a renewal without an end.
  ///   - now: What has ended by then is told so; `nil`: nothing has.
  /// - Returns: The sentences.
  func answer(
    _ folded: AccountState, heldBy holder: String? = nil, at now: Moment?
  ) -> Sentence {
    let open = Self.open(folded, heldBy: holder)
    return switch state {
    case _ where isPastOfflineLimit && !folded.needsInsistence: pastLimit(folded, now) + open
    case .active: use(folded, now) + confirmation(folded, now) + open
    case .offline where folded.needsInsistence: usedUp(folded, now)
    case .offline:
      "The account is used without its server since \(since)" + confirmation(folded, now)
        + open
    case .challenged: "The account waits for the answer to a challenge since \(since)."
    case .uncertain where folded.unanswered == 0:
      "The account can be used, but whether its session lives on at the server is not known"
        + confirmation(folded, now)
    case .uncertain where folded.needsInsistence: usedUp(folded, now)
    case .uncertain:
      "The account can be used, but a renewal was sent whose answer is not known"
        + confirmation(folded, now)
    case .needsLogin(let reason):
      "The session ended at \(since): \(reason.meaning). \(Self.saved(folded))"
    case .ended(.erased):
      "The account was erased at \(since): its history is kept, its person is forgotten."
    case .ended(let reason):
      "The session ended at \(since): \(reason.meaning)."
        + (folded.savedCredentials ? " \(Self.saved(folded))" : "")
    }
  }

  /// What is said where the next use decides.
  private func pastLimit(_ folded: AccountState, _ now: Moment?) -> Sentence {
    "The session is past its limit: it went without the server's word for longer than its login "
      + "allows. It ends at the next use that the server does not vouch for."
      + (lastVerified.map { " The server last confirmed it at \($0)." } ?? "") + life(folded, now)
  }

  /// Whether the account can be used: what it has may be over, and its server not to be asked.
  private func use(_ folded: AccountState, _ now: Moment?) -> Sentence {
    guard let now, isOver(now), let deferral = folded.deferral else {
      return "The account can be used"
    }
    if deferral.isHalted { return "The account cannot be used now" }
    guard deferral.isDemanded, let until = deferral.until, until > now.wall else {
      return "The account can be used"
    }
    return "The account cannot be used before \(until)"
  }

  /// What is said where nothing is left that is sent by itself.
  private func usedUp(_ folded: AccountState, _ now: Moment?) -> Sentence {
    (isOver(now) ? "The account cannot be used now" : "The account can be used until its end")
      + ": what it is renewed with may have been sent twice, no answer tells what became of it, and "
      + "it counts as used up."
      + (lastVerified.map { " The server last confirmed the session at \($0)." } ?? "")
      + life(folded, now)
  }

  private func confirmation(_ folded: AccountState, _ now: Moment?) -> Sentence {
    (lastVerified.map { ": the server last confirmed it at \($0)." } ?? ".") + life(folded, now)
  }

  private func life(_ folded: AccountState, _ now: Moment?) -> Sentence {
    guard let end = expiresAt else { return "" }
    guard let now, now.wall >= end else { return " What it has lives until \(end)." }
    guard renewsItself, state != .uncertain, !folded.needsInsistence else {
      return " What it had ended at \(end)."
    }
    guard let deferral = folded.deferral else {
      return " What it had ended at \(end): the next use renews it."
    }
    if deferral.isHalted {
      return " What it had ended at \(end), and nothing renews it by itself any more."
    }
    guard deferral.isDemanded, let until = deferral.until, until > now.wall else {
      return " What it had ended at \(end): the next use renews it."
    }
    return " What it had ended at \(end): the first use after \(until) renews it."
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

  private static func saved(_ state: AccountState) -> String {
    if state.state == .needsLogin(.refusedWithoutReason), !state.logsInAgain {
      return "What it was renewed with is kept: it is tried once more if somebody asks for it."
    }
    guard state.savedCredentials else { return "Nothing was saved that could log it in again." }
    if state.savedUse?.isUsedUp == true { return "What was saved to log it in again is used up." }
    if state.savedUse?.isHalted == true {
      return "What was saved could not log it in again, and is not sent any more by itself."
    }
    return "What was saved can log it in again."
  }

  /// What the state calls for.
  ///
  /// - Parameters:
  ///   - folded: What else the folds know.
  ///   - events: What led to the state.
  /// - Returns: What to do now.
  func advice(_ folded: AccountState, _ events: [RecordedEvent]) -> Advice {
    switch state {
    case .active, .offline, .uncertain:
      if folded.needsInsistence { .insist } else { adviceInUse(folded, events) }
    case .challenged: .answerChallenge
    case .needsLogin(.identityMismatch): .checkIdentity
    case .needsLogin where folded.logsInAgain: .logInWithSaved
    case .needsLogin(.refusedWithoutReason): .insist
    case .needsLogin: events.serverAdvice ?? .logIn
    case .ended(.erased): .startOver
    case .ended where !folded.outbox.isEmpty: .deliver
    case .ended: folded.logsInAgain ? .logInWithSaved : .logIn
    }
  }

  /// What the state of an account that can be used calls for.
  private func adviceInUse(_ folded: AccountState, _ events: [RecordedEvent]) -> Advice {
    let last = events.last
    if openChallenges.contains("step-up") { return .stepUp }
    if !openChallenges.isEmpty { return .answerChallenge }
    if isPastOfflineLimit { return .use }
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
    if folded.intent != nil { return .tryAgain }
    guard let deferral = folded.deferral else { return folded.outbox.isEmpty ? .nothing : .deliver }
    if deferral.isDemanded { return .wait }
    return events.failureAdvice ?? .tryAgain
  }
}

extension AccountState {
  /// Whether its session has nothing left that is sent by itself: what it is renewed with counts as used
  /// up, and nothing was saved.
  fileprivate var needsInsistence: Bool {
    unanswered >= SavedUse.maximumUses && !logsInAgain
  }
}

extension [RecordedEvent] {
  /// What the last failure among them calls for.
  fileprivate var failureAdvice: Advice? {
    last { $0.data["code"] != nil }?.failureAdvice
  }

  /// What must be looked at before anybody logs in.
  fileprivate var serverAdvice: Advice? {
    failureAdvice.flatMap {
      [.checkServer, .checkSettings, .checkClock, .askServer].contains($0) ? $0 : nil
    }
  }
}

extension RecordedEvent {
  /// What a login that it began calls for, where its failure calls for that.
  ///
  /// What a person began is tried again by the person: nothing is there yet that could be renewed.
  func advice(onLogin advice: Advice) -> Advice {
    guard advice == .tryAgain else { return advice }
    return data["interactive"]?.bool == false ? .logInWithSaved : .logIn
  }

  /// What a login that it began, and that has no end, calls for.
  var adviceWhileOpen: Advice {
    data["interactive"]?.bool == false ? .logInWithSaved : .resume
  }

  /// What the certificate that it refuses calls for: one that is only out of date is no question of
  /// which server answers.
  var adviceOnCertificate: Advice {
    let defects = data["defects"]?.list?.compactMap(\.text) ?? []
    return defects.isEmpty || !Set(defects).isSubset(of: ["expired", "notYetValid"])
      ? .checkServer : .askServer
  }

  /// What the failure that it tells of calls for.
  var failureAdvice: Advice? {
    if isStrayRedirect { return nil }
    if let advice = fault?.advice { return advice }
    return switch data["code"]?.text.map({ FailureCode(rawValue: $0) }) {
    case nil: nil
    case .credentialsRefused, .tokenRefused, .codeRefused, .sessionRefused, .challengeTimedOut,
      .challengeCancelled, .stateMismatch, .cancelled:
      .logIn
    case .challengeUnhandled: .answerChallenge
    case .challengeBlocked: .wait
    case .tlsUntrusted, .tlsKeyChanged: .checkServer
    case .identityMismatch: .checkIdentity
    case .configurationInvalid, .loginUnprovable, .loginCleartext, .scopeMissing, .serverMoved,
      .originForeign:
      .checkSettings
    default: .tryAgain
    }
  }
}
