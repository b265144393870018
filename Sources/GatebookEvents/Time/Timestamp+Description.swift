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
