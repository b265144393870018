/// Days as people name them: `yesterday`, `last monday`, `20 nov`, `2025-11-20`.
enum SpokenDay: Hashable, Sendable {
  /// So many days from today.
  case relative(Int64)
  /// The latest day of the week by that name; with `last` today is not it. 0 is Monday.
  case weekday(Int64, isLast: Bool)
  /// A date; without a year the latest one that has begun.
  case date(year: Int64?, month: Int64, day: Int64)

  private static let relatives: [String: Int64] = ["today": 0, "yesterday": -1, "tomorrow": 1]
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// Reads words in lower case; `nil` for anything that is no day.
  init?(_ words: [String]) {
    switch words.count {
    case 1:
      if let shift = Self.relatives[words[0]] {
        self = .relative(shift)
      } else if let weekday = Self.number(of: words[0], in: Self.weekdays) {
        self = .weekday(weekday, isLast: false)
      } else if let date = CivilTime(isoDate: words[0]) {
        self = .date(year: date.year, month: date.month, day: date.day)
      } else {
        return nil
      }
    case 2 where words[0] == "last":
      guard let weekday = Self.number(of: words[1], in: Self.weekdays) else { return nil }
      self = .weekday(weekday, isLast: true)
    case 2, 3:
      // The day before the month or behind it, the year at the end.
      guard let date = Self.date(words[0], words[1], words) ?? Self.date(words[1], words[0], words)
      else { return nil }
      self = date
    default: return nil
    }
  }

  private static func date(_ day: String, _ month: String, _ words: [String]) -> SpokenDay? {
    var digits = day[...]
    if digits.last == "." { digits.removeLast() }
    guard let number = TimeOfDay.number(&digits, 1...2), digits.isEmpty,
      let month = Self.number(of: month, in: months)
    else { return nil }
    guard words.count == 3 else {
      // A year with a 29th of February shows whether there can be such a day at all.
      guard CivilTime(year: 2024, month: month + 1, day: number) != nil else { return nil }
      return .date(year: nil, month: month + 1, day: number)
    }
    var rest = words[2][...]
    guard let year = TimeOfDay.number(&rest, 4...4), rest.isEmpty,
      CivilTime(year: year, month: month + 1, day: number) != nil
    else { return nil }
    return .date(year: year, month: month + 1, day: number)
  }

  /// The place of a name among others; its first three letters do, and so does what lies between.
  private static func number(of word: String, in names: [String]) -> Int64? {
    guard word.utf8.count >= 3, let index = names.firstIndex(where: { $0.hasPrefix(word) }) else {
      return nil
    }
    return Int64(index)
  }

  // MARK: The calendar

  /// The midnight that begins the day.
  ///
  /// - Parameters:
  ///   - today: Of today, in the reader's zone.
  ///   - isPast: Whether today itself is too late, as its time of day is still to come.
  /// - Returns: The day; `nil` for one before year 1.
  func midnight(_ today: CivilTime, isPast: Bool = false) -> CivilTime? {
    switch self {
    case .relative(let shift): return Self.shifted(today, days: shift)
    case .weekday(let weekday, let isLast):
      // 1970-01-01 was a Thursday.
      let current = (today.seconds / 86_400 + 3) % 7
      let back = (current - weekday + 7) % 7
      return Self.shifted(today, days: back == 0 && (isLast || isPast) ? -7 : -back)
    case .date(let year?, let month, let day):
      return CivilTime(year: year, month: month, day: day)
    case .date(nil, let month, let day):
      // Between two 29ths of February there are up to eight years.
      for year in stride(from: today.year, through: max(1, today.year - 8), by: -1) {
        guard let date = CivilTime(year: year, month: month, day: day) else { continue }
        let isLate = date.seconds > today.seconds || (isPast && date.seconds == today.seconds)
        if !isLate { return date }
      }
      return nil
    }
  }

  private static func shifted(_ today: CivilTime, days: Int64) -> CivilTime {
    var day = CivilTime(seconds: today.seconds + days * 86_400)
    day.second = 0
    return day
  }
}
