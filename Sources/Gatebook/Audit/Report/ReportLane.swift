/// One account's course: what a report draws as a lane.
package struct ReportLane: Sendable {
  /// Whose lane it is.
  package enum Owner: Hashable, Sendable {
    /// An account's, with its login method and its server.
    case account(AccountID, method: String, server: String)
    /// That of all accounts that have no lane of their own, with their number.
    case others(Int64)
    /// The lane of the book's own stream, which has the logins that name no account.
    case book
  }

  /// The most spans that one lane keeps.
  package static let mostSpans = 500

  /// Whose it is.
  package let owner: Owner
  /// What its session is like at the end; `nil` for an account that never had one, and for no
  /// account.
  package let state: SessionState?
  /// The newest spans, in their order.
  package let spans: [ReportSpan]
  /// Whether there were earlier ones than those.
  package let hasEarlierSpans: Bool
  /// How often it was resumed without its server.
  package let offline: Int
  /// Its marks by bin of the report's scale, in their order.
  package let bins: [(bin: Int64, counts: ReportCounts)]
  /// How many events it has.
  package let events: Int64
  /// The time of its first event; `nil` if only its session lasted.
  package let first: Timestamp?
  /// When its last event was.
  package let last: Timestamp?

  /// The account that it is of; `nil` for the lane of several, or of the book itself.
  package var account: AccountID? {
    if case .account(let id, _, _) = owner { id } else { nil }
  }

  /// All its marks.
  package var counts: ReportCounts {
    bins.reduce(into: ReportCounts()) { $0.add($1.counts) }
  }

  /// The lane of an account that has no event of its own in the report.
  package static func silent(_ context: SessionContext) -> ReportLane {
    ReportLane(
      owner: .account(context.account, method: context.method, server: context.server),
      state: context.state, spans: [], hasEarlierSpans: false, offline: 0, bins: [], events: 0,
      first: nil, last: nil)
  }
}

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
