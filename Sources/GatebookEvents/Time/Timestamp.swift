/// A moment of the wall clock in microseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Time never decides the order of events: positions do.
public struct Timestamp: RawRepresentable, Hashable, Comparable, Sendable {
  /// Microseconds since 1970 UTC.
  public let rawValue: Int64

  /// Makes a moment from microseconds since 1970 UTC.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// 1970-01-01T00:00:00Z.
  static let epoch = Timestamp(rawValue: 0)

  /// Whether the left moment is before the right one.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.rawValue < right.rawValue
  }

  // Lifetimes come from servers and from logs of strangers: a sum beyond the ends is the end, no
  // trap.

  /// The moment a duration later, at most the last one; parts below a microsecond are cut.
  public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
    let (sum, overflow) = moment.rawValue.addingReportingOverflow(duration.microseconds)
    guard overflow else { return Timestamp(rawValue: sum) }
    return Timestamp(rawValue: moment.rawValue < 0 ? .min : .max)
  }

  /// The moment a duration earlier, at least the first one; parts below a microsecond are cut.
  public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
    let (rest, overflow) = moment.rawValue.subtractingReportingOverflow(duration.microseconds)
    guard overflow else { return Timestamp(rawValue: rest) }
    return Timestamp(rawValue: moment.rawValue < 0 ? .min : .max)
  }

  /// The time between two moments; negative when the right one is later.
  public static func - (left: Timestamp, right: Timestamp) -> Duration {
    .microseconds(left.rawValue) - .microseconds(right.rawValue)
  }
}

extension Duration {
  /// Whole microseconds, cut towards zero; the ends of `Int64` where they do not fit.
  package var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, over) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return over ? (seconds < 0 ? .min : .max) : sum
  }
}

extension Timestamp: CustomStringConvertible {
  /// The moment as RFC 3339 section 5.6 writes it, in UTC with microseconds:
  /// `2025-11-21T06:29:14.000001Z`; its year has more digits from 10000 on.
  public var description: String {
    let civil = CivilTime(seconds: seconds)
    return "\(civil.dateText)T\(civil.clockText).\(CivilTime.digits(microseconds, 6))Z"
  }

  /// Whole seconds since 1970 UTC, cut towards the past.
  package var seconds: Int64 { split.seconds }

  /// The microseconds of its second, 0 to 999999.
  package var microseconds: Int64 { split.microseconds }

  private var split: (seconds: Int64, microseconds: Int64) {
    let (quotient, remainder) = rawValue.quotientAndRemainder(dividingBy: 1_000_000)
    return remainder < 0 ? (quotient - 1, remainder + 1_000_000) : (quotient, remainder)
  }
}
