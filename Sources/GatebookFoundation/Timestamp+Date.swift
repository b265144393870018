public import FoundationEssentials
public import Gatebook

extension Timestamp {
  /// The moment of a date, to the nearest microsecond.
  ///
  /// A date beyond what a timestamp can hold, some 292,000 years from 1970, gives the last one on
  /// its side; a date that is not a number gives 1970.
  public init(_ date: Date) {
    let interval = date.timeIntervalSinceReferenceDate
    let whole = interval.rounded(.down)
    guard let seconds = Int64(exactly: whole) else {
      self.init(rawValue: interval.isNaN ? 0 : interval < 0 ? .min : .max)
      return
    }
    // Added by parts, which are exact: their sum as a Double is not.
    let fraction = ((interval - whole) * 1_000_000).rounded()
    self = Timestamp(rawValue: Self.reference) + .seconds(seconds) + .microseconds(fraction)
  }

  /// The same moment as a date.
  ///
  /// A date counts seconds as a `Double` from 2001: from 1865 to 2137 it tells each microsecond
  /// apart.
  public var date: Date { Date(self) }

  /// 2001-01-01T00:00:00Z, from which dates count.
  fileprivate static let reference = Int64(Date.timeIntervalBetween1970AndReferenceDate) * 1_000_000
}

extension Date {
  /// The date of a moment, as ``Timestamp/date``.
  public init(_ timestamp: Timestamp) {
    let (seconds, microseconds) = timestamp.rawValue.quotientAndRemainder(dividingBy: 1_000_000)
    let whole = Double(seconds) - Date.timeIntervalBetween1970AndReferenceDate
    self.init(timeIntervalSinceReferenceDate: whole + Double(microseconds) / 1_000_000)
  }
}
