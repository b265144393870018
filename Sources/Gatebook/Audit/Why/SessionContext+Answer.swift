extension SessionContext {
  /// The state in one or two sentences.
  ///
  /// - Parameters:
  ///   - folded: What else the folds know.
  ///   - now: What has ended by then is told so; `nil`: nothing has.
  /// - Returns: The sentences.
  func answer(_ folded: AccountState, at now: Moment?) -> Sentence {
    switch state {
    case .active: "The account can be used" + confirmation(now) + Self.open(folded)
    case .offline:
      "The account is used without its server since \(since)" + confirmation(now)
        + Self.open(folded)
    case .challenged: "The account waits for the answer to a challenge since \(since)."
    case .uncertain where folded.unanswered == 0:
      "The account can be used, but whether its session lives on at the server is not known"
        + confirmation(now)
    case .uncertain where folded.needsInsistence:
      (isOver(now) ? "The account cannot be used now" : "The account can be used until its end")
        + ": what it is renewed with was sent twice, no answer tells what became of it, and it counts "
        + "as used up."
        + (lastVerified.map { " The server last confirmed the session at \($0)." } ?? "")
        + life(now)
    case .uncertain:
      "The account can be used, but a renewal was sent whose answer is not known"
        + confirmation(now)
    case .needsLogin(let reason):
      "The session ended at \(since): \(reason.meaning). \(Self.saved(folded))"
    case .ended(.erased):
      "The account was erased at \(since): its history is kept, its person is forgotten."
    case .ended(let reason):
      "The session ended at \(since): \(reason.meaning)."
        + (folded.savedCredentials ? " \(Self.saved(folded))" : "")
    }
  }

  private func confirmation(_ now: Moment?) -> Sentence {
    (lastVerified.map { ": the server last confirmed it at \($0)." } ?? ".") + life(now)
  }

  private func life(_ now: Moment?) -> Sentence {
    guard let end = expiresAt else { return "" }
    guard let now, now.wall >= end else { return " What it has lives until \(end)." }
    guard renewsItself, state != .uncertain else { return " What it had ended at \(end)." }
    return " What it had ended at \(end): the next use renews it."
  }

  private func isOver(_ now: Moment?) -> Bool {
    guard let now, let end = expiresAt else { return false }
    return now.wall >= end
  }

  private static func open(_ state: AccountState) -> Sentence {
    guard state.intent != nil else { return "" }
    return
      " A renewal was begun that has no recorded end: it is under way, or the process that sent "
      + "it is gone. In that case the next use that renews sends the same once more: where the "
      + "server had taken it already, it may refuse it now, and the session ends."
  }

  private static func saved(_ state: AccountState) -> String {
    guard state.savedCredentials else { return "Nothing was saved that could log it in again." }
    if state.savedUse?.isUsedUp == true { return "What was saved to log it in again is used up." }
    if state.savedUse?.isHalted == true { return "What was saved to log it in again was refused." }
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
    case .active where events.last?.data["verdict"]?.text == "refused": .checkServer
    case .active where openChallenges.isEmpty && folded.deferral == nil:
      if folded.intent != nil { .use } else { folded.outbox.isEmpty ? .nothing : .deliver }
    case .active: openChallenges.isEmpty ? events.failureAdvice ?? .tryAgain : .answerChallenge
    case .offline: .use
    case .challenged: .answerChallenge
    case .uncertain where folded.needsInsistence: .insist
    case .uncertain: folded.unanswered == 0 ? .use : .tryAgain
    case .needsLogin(.identityMismatch): .checkIdentity
    case .needsLogin: folded.logsInAgain ? .logInWithSaved : events.serverAdvice ?? .logIn
    case .ended(.erased): .startOver
    case .ended where !folded.outbox.isEmpty: .deliver
    case .ended: folded.logsInAgain ? .logInWithSaved : .logIn
    }
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
    failureAdvice.flatMap { [.checkServer, .checkSettings].contains($0) ? $0 : nil }
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

  /// What the failure that it tells of calls for.
  var failureAdvice: Advice? {
    switch data["code"]?.text.map({ FailureCode(rawValue: $0) }) {
    case nil: nil
    case .credentialsRefused, .tokenRefused, .codeRefused, .sessionRefused, .challengeTimedOut,
      .challengeCancelled, .stateMismatch, .cancelled:
      .logIn
    case .challengeUnhandled, .challengeBlocked: .answerChallenge
    case .tlsUntrusted, .tlsKeyChanged: .checkServer
    case .identityMismatch: .checkIdentity
    case .configurationInvalid, .loginUnprovable, .loginCleartext, .scopeMissing, .serverMoved,
      .originForeign:
      .checkSettings
    default: .tryAgain
    }
  }
}
