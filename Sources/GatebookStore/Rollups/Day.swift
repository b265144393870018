public import GatebookEvents

/// A day of the calendar in UTC.
public struct Day: RawRepresentable, Hashable, Comparable, Sendable {
  /// How many days after 1970-01-01 it is.
  public let rawValue: Int64

  /// Makes a day from the number of days since 1970-01-01.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// The day that a moment belongs to.
  public init(of moment: Timestamp) {
    let (quotient, remainder) = moment.rawValue.quotientAndRemainder(dividingBy: Self.length)
    rawValue = remainder < 0 ? quotient - 1 : quotient
  }

  /// How long it is, in microseconds.
  static let length: Int64 = 86_400_000_000

  /// Its first moment.
  public var start: Timestamp {
    let (product, overflow) = rawValue.multipliedReportingOverflow(by: Self.length)
    guard overflow else { return Timestamp(rawValue: product) }
    return Timestamp(rawValue: rawValue < 0 ? .min : .max)
  }

  /// Whether the left day is before the right one.
  public static func < (left: Day, right: Day) -> Bool { left.rawValue < right.rawValue }
}
