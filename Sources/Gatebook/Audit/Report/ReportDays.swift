/// Marks by day of the calendar in UTC, of the newest days only.
package struct ReportDays: Sendable {
  /// The most days that are kept.
  package static let limit = 1000

  private var counts: [Day: ReportCounts] = [:]
  /// Whether there were earlier days than those that are kept.
  package private(set) var hasEarlier = false

  /// The days on which something was, in their order.
  package var days: [(day: Day, counts: ReportCounts)] {
    counts.sorted { $0.key < $1.key }.suffix(Self.limit).map { (day: $0.key, counts: $0.value) }
  }

  mutating func count(_ mark: ReportMark, at moment: Timestamp) {
    counts[Day(of: moment), default: ReportCounts()].add(mark)
    guard counts.count >= 2 * Self.limit else { return }
    for day in counts.keys.sorted().dropLast(Self.limit) { counts[day] = nil }
    hasEarlier = true
  }
}

/// How many events there were of each mark.
package struct ReportCounts: Hashable, Sendable {
  private var counts = SIMD4<UInt32>()

  /// Makes counts of nothing.
  package init() {}

  /// How many of one mark.
  package subscript(mark: ReportMark) -> Int { Int(counts[mark.rawValue]) }

  mutating func add(_ mark: ReportMark) {
    counts[mark.rawValue] &+= 1
  }

  /// Adds what others have.
  package mutating func add(_ others: ReportCounts) {
    counts &+= others.counts
  }
}
