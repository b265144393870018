/// The stream of a flow's events, and what it works with: an account's session, or a login attempt
/// while there is no usable one.
enum FlowContext: Sendable {
  case session(OpenSession, MobileFirstProof)
  case attempt(LoginAttempt)

  /// The session; `nil` for an attempt.
  var session: OpenSession? {
    if case .session(let session, _) = self { session } else { nil }
  }

  /// The session's proof; `nil` for an attempt.
  var proof: MobileFirstProof? {
    if case .session(_, let proof) = self { proof } else { nil }
  }

  /// An event at this place.
  func proposed(_ event: UnplacedEvent) -> ProposedEvent {
    switch self {
    case .session(let session, _):
      session.event(event.kind, data: event.data, personal: event.personal)
    case .attempt(let attempt):
      attempt.event(
        event.kind, data: event.data, personal: attempt.stream == nil ? nil : event.personal)
    }
  }
}
