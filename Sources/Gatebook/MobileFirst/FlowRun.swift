/// Where a running flow has got to.
struct FlowRun {
  /// The stream of its events; a login in it moves it from an attempt to the account's session.
  var place: FlowContext
  var machine: AuthorizationPipeline
  /// Sends its requests, and resolves the challenges of proxies.
  var conversation: Conversation
  /// The client that a new registration replaces.
  var former: String?

  /// The cookies as they were when the book last knew of them.
  var base: CookieJar

  init(
    place: FlowContext, machine: AuthorizationPipeline, conversation: Conversation
  ) {
    self.place = place
    self.conversation = conversation
    self.machine = machine
    former = machine.registration?.clientID
    base = machine.jar
  }

  /// Which words of the server repeat what was told in confidence.
  func leaks(among words: [String]) -> Set<String> {
    conversation.sentSecrets.leaks(among: words)
  }

  /// An event as the log may have it: no name in it repeats what was told in confidence.
  func told(_ event: ProposedEvent) -> ProposedEvent {
    event.withoutNames(leaks(among: event.names))
  }

  /// The events of checks that have succeeded, as the log may have them.
  func told(_ successes: [SecurityCheckSuccess]) -> [ProposedEvent] {
    successes.map { told(ProposedEvent($0)) }
  }
}

/// The stream of a flow's events, and what it works with: an account's session, or a login attempt
/// while there is no usable one.
enum FlowContext: Sendable {
  case session(OpenSession, MobileFirstProof)
  case attempt(LoginAttempt)

  /// The session; `nil` for an attempt.
  var session: OpenSession? {
    if case .session(let session, _) = self { session } else { nil }
  }

  /// The attempt; `nil` for a session.
  var attempt: LoginAttempt? {
    if case .attempt(let attempt) = self { attempt } else { nil }
  }

  /// The session's proof; `nil` for an attempt.
  var proof: MobileFirstProof? {
    if case .session(_, let proof) = self { proof } else { nil }
  }

  /// An event at this place.
  func proposed(_ event: ProposedEvent) -> ProposedEvent {
    switch self {
    case .session(let session, _):
      session.event(event)
    case .attempt(let attempt):
      attempt.event(event)
    }
  }
}
