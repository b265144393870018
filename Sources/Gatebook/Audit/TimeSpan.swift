/// The time between two moments that a question is about.
package struct TimeSpan: Hashable, Sendable {
  /// The first moment that belongs to it; `nil` for all from the beginning.
  package let start: Timestamp?
  /// The first one that does not any more; `nil` for all to the end.
  package let end: Timestamp?

  /// All that there is.
  package static let whole = TimeSpan(start: nil, end: nil)

  /// Makes a time between two moments.
  package init(start: Timestamp?, end: Timestamp?) {
    self.start = start
    self.end = end
  }

  /// Whether a moment belongs to it: each event is judged by its own time, for a clock may jump.
  package func contains(_ moment: Timestamp) -> Bool {
    start.map { moment >= $0 } != false && end.map { moment < $0 } != false
  }

  /// Where it ended, seen from a moment; `nil` where it goes up to then.
  package func end(before now: Timestamp) -> Timestamp? {
    end.flatMap { $0 < now ? $0 : nil }
  }
}
