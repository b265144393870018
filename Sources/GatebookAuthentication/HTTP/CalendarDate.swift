internal import GatebookEvents

/// A date and time of day in UTC, as the fields of HTTP spell it.
struct CalendarDate {
  var year: Int
  /// 1 for January.
  var month: Int
  var day: Int
  var hour: Int
  var minute: Int
  var second: Int

  /// The moment; `nil` when the calendar has no such date or the clock no such time.
  ///
  /// A leap second is the first second of the next minute.
  var timestamp: Timestamp? {
    guard (1...9999).contains(year), (1...12).contains(month), (1...daysInMonth).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = Self.daysBefore(year: year) - Self.daysBefore(year: 1970) + daysBeforeMonth + day - 1
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    return Timestamp(rawValue: Int64(seconds) * 1_000_000)
  }

  private static let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

  private var isLeapYear: Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  private var daysInMonth: Int {
    Self.lengths[month - 1] + (month == 2 && isLeapYear ? 1 : 0)
  }

  private var daysBeforeMonth: Int {
    Self.lengths.prefix(month - 1).reduce(0, +) + (month > 2 && isLeapYear ? 1 : 0)
  }

  /// Days from 0001-01-01 to the first day of a year.
  private static func daysBefore(year: Int) -> Int {
    let past = year - 1
    return past * 365 + past / 4 - past / 100 + past / 400
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
