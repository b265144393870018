/// What a report draws of an event, and counts by day.
package enum ReportMark: Int, CaseIterable, Sendable {
  case login
  case refresh
  case challenge
  case failure

  /// The mark of a kind; `nil` for one that has only its row.
  package init?(_ kind: String) {
    switch EventKind(rawValue: kind) {
    case .loginSucceeded: self = .login
    case .refreshSucceeded, .refreshAdopted: self = .refresh
    case .challengeReceived: self = .challenge
    // The same as `log --failed`.
    case .sessionEnded, .sessionUncertain, .sessionUnverified, .refreshDeferred, .requestRefused:
      self = .failure
    default:
      guard kind.hasSuffix(".failed") else { return nil }
      self = .failure
    }
  }
}
