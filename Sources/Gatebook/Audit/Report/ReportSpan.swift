/// A time for which an account's session was in one state.
package struct ReportSpan: Hashable, Sendable {
  /// When it came into the state.
  package let start: Timestamp
  /// When it left it; the end of the report for one that it is still in.
  package internal(set) var end: Timestamp
  /// The state.
  package let state: SessionState
  /// The session.
  package let session: SessionID
  /// Whether the session began with it.
  package let isFirst: Bool
}
