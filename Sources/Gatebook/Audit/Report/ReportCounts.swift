/// How many events there were of each mark.
package struct ReportCounts: Hashable, Sendable {
  private var counts = SIMD4<UInt32>()

  /// How many of one mark.
  package subscript(mark: ReportMark) -> Int { Int(counts[mark.rawValue]) }

  mutating func add(_ mark: ReportMark) {
    counts[mark.rawValue] &+= 1
  }

  mutating func add(_ others: ReportCounts) {
    counts &+= others.counts
  }

  /// What two have together.
  package static func + (left: ReportCounts, right: ReportCounts) -> ReportCounts {
    var sum = left
    sum.add(right)
    return sum
  }
}
