/// The time that a report tells of.
package struct ReportTime: Hashable, Sendable {
  /// The first moment that belongs to it; `nil` for all from the beginning.
  package let since: Timestamp?
  /// The first one that does not any more; `nil` for all to the end.
  package let until: Timestamp?

  /// All that there is.
  package static let whole = ReportTime(since: nil, until: nil)

  /// Makes a time between two moments.
  package init(since: Timestamp?, until: Timestamp?) {
    self.since = since
    self.until = until
  }

  /// Whether a moment belongs to it: each event is judged by its own time, for a clock may jump.
  func contains(_ moment: Timestamp) -> Bool {
    since.map { moment >= $0 } != false && until.map { moment < $0 } != false
  }

  /// Where it ended, seen from a moment; `nil` where it goes up to then.
  package func end(before now: Timestamp) -> Timestamp? {
    until.flatMap { $0 < now ? $0 : nil }
  }
}
