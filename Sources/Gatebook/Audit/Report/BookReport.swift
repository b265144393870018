/// The report of a book or of one account, without the newest events themselves.
///
/// It comes from clear facts alone: no key is needed for it, and it holds nothing personal.
package struct BookReport: Sendable {
  /// The most accounts that have lanes of their own: those with the newest events.
  package static let mostLanes = 100
  /// The most events that are listed.
  package static let mostRows = 100_000

  /// How many events there are.
  package let events: Int64
  /// How many of each kind that this version knows.
  let totals: [EventKind: Int64]
  /// How many accounts there are, including erased ones.
  ///
  /// For a part of the book's time: those with an event in it and, of the ``mostLanes`` with the
  /// newest events, those with a session in it.
  package let accounts: Int64
  /// When the first event was, or the time began.
  package let start: Timestamp
  /// When it was made, or the time ended; later where the log is ahead of that clock.
  package let end: Timestamp
  /// What the bins of the lanes are.
  package let scale: ReportScale
  /// The figures of each day.
  package let days: ReportDays
  /// The course of each account; the one with the newest event first.
  package let lanes: [ReportLane]
  /// What the rules found, in the order of the first events.
  package let findings: [Finding]
  /// The oldest of the listed events.
  package let oldestRow: Position?

  /// How many events there are of some kinds.
  package func count(of kinds: EventKind...) -> Int64 {
    kinds.reduce(0) { $0 + (totals[$1] ?? 0) }
  }
}
