/// Bins of one width for all lanes: it grows with the time that they have to cover, so that their
/// number stays small however long a book is.
package struct ReportScale: Hashable, Sendable {
  /// The most bins that a time is cut into.
  package static let limit: Int64 = 1024

  /// A bin is two to the power of this many microseconds wide.
  private var digits: Int64 = 10
  private var range: ClosedRange<Int64>?

  /// How wide a bin is, in microseconds.
  package var width: Int64 { 1 << digits }

  /// The bin that a moment belongs to.
  package func bin(of moment: Timestamp) -> Int64 { moment.rawValue >> digits }

  /// When a bin begins.
  package func start(of bin: Int64) -> Timestamp { Timestamp(rawValue: bin << digits) }

  /// Takes a moment in.
  ///
  /// - Parameter moment: The moment.
  /// - Returns: How often bins are to be joined with their neighbours for it, two and two.
  mutating func include(_ moment: Timestamp) -> Int64 {
    let at = moment.rawValue
    if let range, range.contains(at) { return 0 }
    let whole = min(range?.lowerBound ?? at, at)...max(range?.upperBound ?? at, at)
    range = whole
    let before = digits
    while whole.upperBound >> digits - whole.lowerBound >> digits >= Self.limit { digits += 1 }
    return digits - before
  }
}
