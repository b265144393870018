/// `login.failed`: a login failed.
///
/// Of a login with saved credentials it also says what became of them.
package struct LoginFailed: EventFacts {
  package static let kind = EventKind.loginFailed

  /// The fingerprint of what was sent, if it is valid for one use.
  package var fingerprint: String?
  /// Whether no further try is made unless a person asks for it.
  package var isHalted: Bool = false
  /// The name under which messages to the server are kept encrypted.
  package var outbox: String?
  /// Whether the answer had only another refresh token.
  package var isPartial: Bool = false
  /// Why the credentials are used up: `refusedAfterUnknownOutcome`.
  package var reason: EndReason?
  /// For how long the server wants to be left alone.
  package var retryAfter: Duration?
  /// Whether the answer's credential is saved in the place of the saved one.
  package var isSaved: Bool = false
  /// Whether the account's session also used what was sent, and continues with the new one.
  package var isShared: Bool = false
  /// Whether the server may have acted, and credentials for one use may be used up.
  package var isUnanswered: Bool = false
  /// What went wrong.
  package var failure = Failure()

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("fingerprint", &fingerprint)
    facts.code("halted", &isHalted, unless: false)
    facts.code("outbox", &outbox)
    facts.code("saved", &isSaved, unless: false)
    facts.code("shared", &isShared, unless: false)
    facts.code("unanswered", &isUnanswered, unless: false)
    guard facts.hasDetails else { return }
    facts.code("partial", &isPartial, unless: false)
    facts.code("reason", &reason)
    facts.code("retryAfter", &retryAfter)
    failure.code(with: &facts)
  }

  /// What became of saved credentials, as a login that was cancelled says it.
  init(_ cancelled: LoginCancelled) {
    fingerprint = cancelled.fingerprint
    isSaved = cancelled.isSaved
    isShared = cancelled.isShared
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    if event.isStrayRedirect { return .strayRedirect(failure, event) }
    if isSaved {
      return
        "A login by \(event.author) failed: the server sent only a new refresh token. It replaces the one that "
        + "was sent."
    }
    return switch failure.code {
    case .outcomeUnknown where failure.status == nil:
      "That login's process ended without recording an answer." + consequence(event)
    // The process that finds it expired records it.
    case .challengeTimedOut: "The login failed: \(words)." + consequence(event)
    default: "A login by \(event.author) failed: \(words)." + consequence(event)
    }
  }

  /// What went wrong, and what the server said.
  package var words: String {
    failure.words(
      of: Self.kind, isHalted: isHalted, isAfterLostAnswer: reason == .refusedAfterUnknownOutcome)
  }

  private func consequence(_ event: RecordedEvent) -> Sentence {
    if isUnanswered {
      return " The server may have processed it, so a token or a code that was sent may be used up."
    }
    if isHalted { return "\(failure.doubt) Gatebook does not send it again automatically." }
    guard let wait = retryAfter else { return "\(failure.doubt)" }
    return "\(failure.doubt) The server asks not to log in again before \(event.at + wait)."
  }
}

extension RecordedEvent {
  /// Whether a login ended with it without a session.
  package var endsLoginInVain: Bool { isKind(LoginFailed.kind) || isKind(LoginCancelled.kind) }
}
