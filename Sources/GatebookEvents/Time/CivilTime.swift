/// A date and a time of day of the Gregorian calendar, without a zone.
package struct CivilTime: Hashable, Sendable {
  package var year: Int64
  package var month: Int64
  package var day: Int64
  /// Seconds since midnight, 0 to 86399.
  package var second: Int64

  /// Makes a date's midnight; `nil` when there is no such date from year 1 to 9999.
  package init?(year: Int64, month: Int64, day: Int64) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.length(ofMonth: month, in: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    second = 0
  }

  /// Takes seconds since 1970 apart, in the zone they were counted in.
  package init(seconds: Int64) {
    let days = Self.floor(seconds, 86_400)
    second = seconds - days * 86_400
    // Days are counted from 0000-03-01, so that a leap day ends its year.
    let shifted = days + 719_468
    let era = Self.floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The same day of an earlier month, or the last one of a month that is too short; `nil` for one
  /// before year 1.
  package init?(_ day: CivilTime, monthsBack: Int64) {
    let months = day.year * 12 + day.month - 1 - monthsBack
    let (year, month) = (Self.floor(months, 12), months - Self.floor(months, 12) * 12 + 1)
    let last = Self.length(ofMonth: month, in: year)
    self.init(year: year, month: month, day: min(day.day, last))
  }

  /// Seconds since 1970 in the zone that the time is meant in.
  package var seconds: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = Self.floor(shiftedYear, 400)
    let yearOfEra = shiftedYear - era * 400
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era * 146_097 + dayOfEra - 719_468) * 86_400 + second
  }

  /// `2025-11-21`.
  package var dateText: String {
    "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
  }

  /// `06:29:14`.
  package var clockText: String {
    let hour = Self.digits(second / 3_600, 2)
    return "\(hour):\(Self.digits(second / 60 % 60, 2)):\(Self.digits(second % 60, 2))"
  }

  /// A number with zeros in front of it.
  package static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  private static func length(ofMonth month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func floor(_ dividend: Int64, _ divisor: Int64) -> Int64 {
    dividend >= 0 ? dividend / divisor : (dividend + 1) / divisor - 1
  }
}
