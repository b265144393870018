/// `login.cancelled`: a login was cancelled.
package struct LoginCancelled: EventFacts {
  package static let kind = EventKind.loginCancelled

  /// The fingerprint of what was sent, if it is valid for one use.
  package var fingerprint: String?
  /// The name under which messages to the server are kept encrypted.
  package var outbox: String?
  /// `nobody`: the flow succeeded, but no security check named a user.
  package var reason: String?
  /// Whether the answer's credential is saved in the place of the saved one.
  package var isSaved: Bool = false
  /// Whether the account's session also used what was sent, and continues with the new one.
  package var isShared: Bool = false

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("fingerprint", &fingerprint)
    facts.code("outbox", &outbox)
    facts.code("reason", &reason)
    facts.code("saved", &isSaved, unless: false)
    facts.code("shared", &isShared, unless: false)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    if reason == "nobody" {
      return "The login ended without a user, because no security check of the server named one."
    }
    if isSaved {
      return "The login was no longer needed. Its refresh token replaces the saved one."
    }
    return outbox == nil
      ? "\(event.author) cancelled the login."
      : "The answer to a login by \(event.author) came when the login was no longer needed. Its tokens "
        + "are being revoked."
  }
}
