/// One session of an account, from its login on.
public struct SessionSummary: Hashable, Sendable {
  /// The session.
  public let id: SessionID
  /// Its account.
  public let account: AccountID
  /// The login method.
  public let method: String
  /// When its login succeeded.
  public let started: Timestamp
  /// When it ended; `nil` while it can be used.
  public private(set) var ended: Timestamp?
  /// The name of its state, as in `SessionState`.
  public private(set) var state: String
  /// Why it ended.
  public private(set) var reason: EndReason?
  /// Counts its secrets: 1 after the login.
  public let generation: Int64
  /// Its last event.
  public let position: Position

  package init(_ id: SessionID, _ record: SessionRecord) {
    self.id = id
    account = record.account
    method = record.method
    started = record.started
    ended = record.ended
    state = record.state
    reason = record.reason
    generation = record.generation
    position = record.position
  }

  /// The summary after an end that nobody has recorded yet.
  package func ended(_ end: SessionEnd) -> SessionSummary {
    var summary = self
    summary.ended = end.at
    summary.state = SessionState.needsLogin(end.reason).name
    summary.reason = end.reason
    return summary
  }
}
