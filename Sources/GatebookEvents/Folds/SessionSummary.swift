/// One session of an account, from its login on.
public struct SessionSummary: Hashable, Sendable {
  /// The session.
  public let id: SessionID
  private var record: SessionRecord

  package init(_ id: SessionID, _ record: SessionRecord) {
    self.id = id
    self.record = record
  }

  /// Its account.
  public var account: AccountID { record.account }
  /// The login method.
  public var method: String { record.method }
  /// When its login succeeded.
  public var started: Timestamp { record.started }
  /// When it ended; `nil` while it can be used.
  public var ended: Timestamp? { record.ended }
  /// The name of its state, as in `SessionState`.
  public var state: String { record.state }
  /// Why it ended.
  public var reason: EndReason? { record.reason }
  /// Counts its secrets: 1 after the login.
  public var generation: Int64 { record.generation }
  /// Its last event.
  public var position: Position { record.position }

  /// The summary after an end that nobody has recorded yet.
  package func ended(_ end: SessionEnd) -> SessionSummary {
    var summary = self
    summary.record.ended = end.at
    summary.record.state = SessionState.needsLogin(end.reason).name
    summary.record.reason = end.reason
    return summary
  }
}
