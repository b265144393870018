/// An event of the log; it never changes.
public struct RecordedEvent: Identifiable, Hashable, Sendable {
  /// Its position in the book.
  public let position: Position
  /// Its idempotency key.
  public let id: EventID
  /// Its account; `nil` for an event of the book itself.
  public let account: AccountID?
  /// Its number among the account's events, from 1.
  public let revision: Int64
  /// The session or login attempt it belongs to.
  public let session: SessionID?
  /// Its kind, as text: a newer version may write kinds that this one does not know.
  public let kind: String
  /// The version of the kind's facts.
  public let version: Int
  /// The writer's wall clock; never used for order.
  public let at: Timestamp
  /// The event that led to it.
  public let cause: Position?
  /// Who wrote it.
  public let writer: Writer
  /// Facts that are neither secret nor personal.
  public let data: Facts
  /// Personal facts; `nil` when the event has none.
  public let personal: Personal<Facts>?

  package init(
    position: Position, id: EventID, account: AccountID?, revision: Int64, session: SessionID?,
    kind: String, version: Int, at: Timestamp, cause: Position?, writer: Writer, data: Facts,
    personal: Personal<Facts>?
  ) {
    self.position = position
    self.id = id
    self.account = account
    self.revision = revision
    self.session = session
    self.kind = kind
    self.version = version
    self.at = at
    self.cause = cause
    self.writer = writer
    self.data = data
    self.personal = personal
  }
}

extension RecordedEvent {
  /// Whether it is of a kind.
  package func isKind(_ kind: EventKind) -> Bool { self.kind == kind.rawValue }
}
