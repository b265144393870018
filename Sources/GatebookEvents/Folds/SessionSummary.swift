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

extension SessionSummary {
  /// The sessions of a book in the order of their logins.
  ///
  /// - Parameters:
  ///   - records: What the folds keep of them.
  ///   - accounts: Only those of these accounts; `nil` for all.
  ///   - states: The accounts' states, for ends that nothing recorded.
  ///   - now: Expiries count as of this time; `nil`: only the log counts.
  /// - Returns: One summary for each session that a login made.
  package static func list(
    _ records: [(id: SessionID, state: SessionRecord)], of accounts: Set<AccountID>?,
    _ states: [AccountState], at now: Moment?
  ) -> [SessionSummary] {
    let ends = ends(of: states, at: now)
    return
      records
      .filter { accounts?.contains($0.state.account) != false }
      .map { session in
        let summary = SessionSummary(session.id, session.state)
        return ends[session.id].map { summary.ended($0) } ?? summary
      }
      .sorted { ($0.started, $0.position) < ($1.started, $1.position) }
  }

  /// How the sessions ended whose end has passed without an event that says so.
  private static func ends(
    of states: [AccountState], at now: Moment?
  ) -> [SessionID: SessionEnd] {
    guard let now else { return [:] }
    var ends: [SessionID: SessionEnd] = [:]
    for state in states {
      if let session = state.session { ends[session] = state.unrecordedEnd(at: now) }
    }
    return ends
  }
}
