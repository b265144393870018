internal import GatebookEvents

/// Reads the date of an `Expires` attribute by the algorithm of RFC 6265 section 5.1.1, which
/// takes far more than any date format writes.
enum CookieDate {
  /// The moment; `nil` where the algorithm says to fail.
  static func parse(_ text: some Collection<UInt8>) -> Timestamp? {
    var clock: [Int]?
    var day: Int?
    var month: Int?
    var year: Int?
    for token in Array(text).split(whereSeparator: isDelimiter) {
      if clock == nil, let found = time(token) {
        clock = found
      } else if day == nil, let found = number(token, digits: 1...2) {
        day = found
      } else if month == nil, let found = CalendarDate.month(token) {
        month = found
      } else if year == nil, let found = number(token, digits: 2...4) {
        year = found
      }
    }
    guard let clock, let day, let month, let year, clock[2] <= 59 else { return nil }
    let full = year + (year < 70 ? 2000 : year < 100 ? 1900 : 0)
    guard full >= 1601 else { return nil }
    return CalendarDate.moment(year: full, month: month, day: day, clock: clock)
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
  private static func time(_ token: ArraySlice<UInt8>) -> [Int]? {
    let fields = token.split(separator: .colon, maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3, fields[..<2].joined().allSatisfy(\.isDigit) else { return nil }
    let clock = fields.compactMap { number($0, digits: 1...2) }
    return clock.count == 3 ? clock : nil
  }
}
