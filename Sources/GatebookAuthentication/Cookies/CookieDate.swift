internal import GatebookEvents

/// Reads the date of an `Expires` attribute by the algorithm of RFC 6265 section 5.1.1, which
/// takes far more than any date format writes.
enum CookieDate {
  /// The moment; `nil` where the algorithm says to fail.
  static func parse(_ text: some Collection<UInt8>) -> Timestamp? {
    var time: (hour: Int, minute: Int, second: Int)?
    var day: Int?
    var month: Int?
    var year: Int?
    for token in Array(text).split(whereSeparator: isDelimiter) {
      if time == nil, let found = self.time(token) {
        time = found
      } else if day == nil, let found = number(token, digits: 1...2) {
        day = found
      } else if month == nil, let found = CalendarDate.month(token) {
        month = found
      } else if year == nil, let found = number(token, digits: 2...4) {
        year = found
      }
    }
    guard let time, let day, let month, let year, time.second <= 59 else { return nil }
    let full = year + (year < 70 ? 2000 : year < 100 ? 1900 : 0)
    guard full >= 1601 else { return nil }
    return CalendarDate(
      year: full, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second
    ).timestamp
  }

  /// `delimiter` of the grammar.
  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// The leading digits of a token, if they are as many as allowed; what follows does not count.
  private static func number(_ token: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
    let number = token.prefix(while: \.isDigit)
    return digits.contains(number.count) ? Int(number.text) : nil
  }

  /// `hms-time ( non-digit *OCTET )`.
  private static func time(_ token: ArraySlice<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
    let fields = token.split(separator: .colon, maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3, fields[0].allSatisfy(\.isDigit), fields[1].allSatisfy(\.isDigit),
      let hour = number(fields[0], digits: 1...2), let minute = number(fields[1], digits: 1...2),
      let second = number(fields[2], digits: 1...2)
    else { return nil }
    return (hour, minute, second)
  }
}
