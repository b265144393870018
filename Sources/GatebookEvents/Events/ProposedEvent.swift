/// An event as a caller offers it; the book adds position, revision, time and writer.
package struct ProposedEvent: Hashable, Sendable {
  /// The event that led to this one.
  package enum Cause: Hashable, Sendable {
    /// Nothing in the book.
    case none
    /// An event that is in the book already.
    case recorded(Position)
    /// An event of the same append, counted from 0; it must come before this one.
    case proposed(Int)
  }

  /// What happened.
  package var kind: EventKind
  /// The idempotency key; `nil` lets the book make one.
  package var id: EventID?
  /// The stream: an account, or `nil` for the book's own.
  package var account: AccountID?
  /// The session or login attempt it belongs to.
  package var session: SessionID?
  /// What led to it.
  package var cause: Cause
  /// Facts that are neither secret nor personal.
  package var data: Facts
  /// Personal facts; only an account's stream can hold them.
  package var personal: Facts?

  /// Makes an event.
  package init(
    _ kind: EventKind, id: EventID? = nil, account: AccountID? = nil, session: SessionID? = nil,
    cause: Cause = .none, data: Facts = [:], personal: Facts? = nil
  ) {
    self.kind = kind
    self.id = id
    self.account = account
    self.session = session
    self.cause = cause
    self.data = data
    self.personal = personal
  }
}

/// What must hold, inside the write transaction, for an append to happen.
package enum Precondition: Hashable, Sendable {
  /// Nothing.
  case none
  /// The stream's last revision; 0 for a stream without events.
  case revision(AccountID?, Int64)
  /// The account's session and its generation are still these, and the session has not ended.
  case generation(AccountID, SessionID, Int64)
}
