package import GatebookEvents

/// Reads the three forms of a date in a header (RFC 9110 section 5.6.7).
package enum HTTPDate {
  private static let days = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// The moment of a date; `nil` for anything but the three forms.
  ///
  /// - Parameters:
  ///   - text: Such as `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
  ///     `Sun Nov  6 08:49:37 1994`; the name of the day is not checked against the date.
  ///   - now: Decides which century a year of two digits belongs to.
  /// - Returns: The moment.
  package static func parse(_ text: String, at now: Timestamp) -> Timestamp? {
    let parts = Array(text.utf8).split(separator: .blank, omittingEmptySubsequences: false)
    guard let first = parts.first?.text else { return nil }
    if days.contains(where: { first == "\($0.prefix(3))," }) { return fixdate(parts) }
    if days.contains(where: { first == "\($0)," }) { return dashed(parts, at: now) }
    return days.contains { first == $0.prefix(3) } ? asctime(parts) : nil
  }

  /// The fixed form, `IMF-fixdate`.
  private static func fixdate(_ parts: [ArraySlice<UInt8>]) -> Timestamp? {
    guard parts.count == 6, parts[5].text == "GMT", let year = number(parts[3], digits: 4) else {
      return nil
    }
    return date(year, parts[2], number(parts[1], digits: 2), parts[4])
  }

  /// The obsolete form of RFC 850.
  private static func dashed(_ parts: [ArraySlice<UInt8>], at now: Timestamp) -> Timestamp? {
    guard parts.count == 4, parts[3].text == "GMT" else { return nil }
    let fields = parts[1].split(separator: .hyphen, omittingEmptySubsequences: false)
    guard fields.count == 3, let short = number(fields[2], digits: 2) else { return nil }
    // "Recipients of a timestamp value in rfc850-date format MUST interpret a timestamp that
    // appears to be more than 50 years in the future as representing the most recent year in the
    // past that had the same last two digits."
    let (sum, isTooLate) = now.rawValue.addingReportingOverflow(50 * 31_556_952 * 1_000_000)
    let limit = isTooLate ? .max : sum
    let day = number(fields[0], digits: 2)
    return stride(from: 9900, through: 1900, by: -100).lazy
      .compactMap { date($0 + short, fields[1], day, parts[2]) }
      .first { $0.rawValue <= limit }
  }

  /// The obsolete form of C's `asctime`.
  private static func asctime(_ parts: [ArraySlice<UInt8>]) -> Timestamp? {
    // A day below ten has a blank for its first digit.
    let isShort = parts.count == 6 && parts[2].isEmpty
    guard isShort || parts.count == 5, let year = number(parts[parts.count - 1], digits: 4) else {
      return nil
    }
    let day = isShort ? number(parts[3], digits: 1) : number(parts[2], digits: 2)
    return date(year, parts[1], day, parts[parts.count - 2])
  }

  private static func date(
    _ year: Int, _ month: ArraySlice<UInt8>, _ day: Int?, _ time: ArraySlice<UInt8>
  ) -> Timestamp? {
    let fields = time.split(separator: .colon, omittingEmptySubsequences: false)
    let clock = fields.compactMap { number($0, digits: 2) }
    guard month.count == 3, let month = CalendarDate.month(month), let day, fields.count == 3
    else { return nil }
    return CalendarDate.moment(year: year, month: month, day: day, clock: clock)
  }

  private static func number(_ text: ArraySlice<UInt8>, digits: Int) -> Int? {
    text.count == digits && text.allSatisfy(\.isDigit) ? Int(text.text) : nil
  }
}

/// A date and time of day in UTC, as the fields of HTTP spell it.
enum CalendarDate {
  /// The moment; `nil` when the calendar has no such date or the clock no such time.
  ///
  /// - Parameters:
  ///   - year: The year.
  ///   - month: 1 for January.
  ///   - day: The day of the month.
  ///   - clock: Hour, minute and second; a leap second is the first second of the next minute.
  /// - Returns: The moment in UTC.
  static func moment(year: Int, month: Int, day: Int, clock: [Int]) -> Timestamp? {
    guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]),
      (0...60).contains(clock[2]),
      var time = CivilTime(year: Int64(year), month: Int64(month), day: Int64(day))
    else { return nil }
    time.second = Int64((clock[0] * 60 + clock[1]) * 60 + clock[2])
    return Timestamp(rawValue: time.seconds * 1_000_000)
  }

  /// The month of an English name's first three letters, in either case.
  static func month(_ letters: some Collection<UInt8>) -> Int? {
    let names = [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    let name = letters.prefix(3).map(\.lowercase)
    return names.firstIndex { $0.utf8.elementsEqual(name) }.map { $0 + 1 }
  }
}
