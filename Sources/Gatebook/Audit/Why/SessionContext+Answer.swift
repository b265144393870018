extension SessionContext {
  /// The state in one or two sentences.
  ///
  /// - Parameters:
  ///   - folded: What else the folds know.
  ///   - now: What has ended by then is told so; `nil`: nothing has.
  /// - Returns: The sentences.
  func answer(_ folded: AccountState, at now: Moment?) -> Sentence {
    switch state {
    case .active: "The account can be used" + confirmation(now)
    case .offline: "The account is used without its server since \(since)" + confirmation(now)
    case .challenged: "The account waits for the answer to a challenge since \(since)."
    case .uncertain:
      "The account can be used, but a renewal was sent whose answer is not known"
        + confirmation(now)
    case .needsLogin(let reason):
      "The session ended at \(since): \(reason.meaning). \(Self.saved(folded))"
    case .ended(let reason): "The session ended at \(since): \(reason.meaning)."
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
    case .active where openChallenges.isEmpty && folded.deferral == nil:
      folded.outbox.isEmpty ? .nothing : .deliver
    case .active: openChallenges.isEmpty ? events.failureAdvice ?? .tryAgain : .answerChallenge
    case .offline: .use
    case .challenged: .answerChallenge
    case .uncertain: .tryAgain
    case .needsLogin(.identityMismatch): .checkIdentity
    case .needsLogin: folded.logsInAgain ? .logInWithSaved : events.serverAdvice ?? .logIn
    case .ended(.erased): .startOver
    case .ended: folded.outbox.isEmpty ? .logIn : .deliver
    }
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
